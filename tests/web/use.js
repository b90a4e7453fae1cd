/* Sorting, filtering, and readers' own prices, as a hand would use them. */
'use strict';
const path = require('path');
const { ok, same, csv, open, pages } = require('./lib.js');

const picksShown = (page) => page.$$eval('#yours-picks tbody tr', (rows) => rows.map((r) => ({
	who: r.cells[0].textContent, edition: r.cells[1].textContent, now: r.cells[2].textContent, why: r.cells[4].textContent })));
const ranking = (page) => page.$$eval('#yours-ranking tbody tr', (rows) => rows.map((r) => r.cells[1].textContent));
const priceOf = (page, device) => page.locator('#yours-ranking tbody tr', { has: page.locator(`th:text-is(${JSON.stringify(device)})`) }).locator('input');

/* Beside the others, of which none has its price changed: the ratio to the last one shown. */
const valueOf = (page, device) => page.$$eval('#yours-ranking tbody tr', (rows, name) => {
	const figure = (r) => parseFloat(r.querySelector('.bars span').textContent);
	return (figure(rows.find((r) => r.cells[1].textContent === name)) / figure(rows[1])).toFixed(1);
}, device);

async function sorting(page, name) {
	const table = page.locator('main > section:not(.yours) table').filter({ has: page.locator('.sort') }).first();
	const column = () => table.locator('tbody tr td:nth-child(2)').allTextContents();
	const before = await column(), button = table.locator('thead th:nth-child(2) .sort'), head = table.locator('thead th:nth-child(2)');

	await button.focus();
	await page.keyboard.press('Enter');
	same(await head.getAttribute('aria-sort'), 'ascending', `${name}: a key sorts, and the head says how`);
	const up = await column();
	await page.keyboard.press('Enter');
	same(await head.getAttribute('aria-sort'), 'descending', `${name}: the second time the other way`);
	same((await column()).filter((t) => t !== '–').reverse().sort(), up.filter((t) => t !== '–').sort(), `${name}: the same rows`);
	await button.click();
	same(await head.getAttribute('aria-sort'), null, `${name}: the third time as the report has it`);
	same(await column(), before, `${name}: in the report's own order`);
}

/* The first column of figures in which some are missing. */
const gappy = () => {
	for (const t of document.querySelectorAll('main > section:not(.yours) table'))
		for (const [i, th] of [...t.tHead.rows[0].cells].entries()) {
			const texts = [...t.tBodies[0].rows].map((r) => r.cells[i].textContent);
			const missing = texts.filter((x) => x === '–').length;
			if (th.matches('.num') && th.querySelector('.sort') && missing > 0 && texts.length - missing > 2) {
				th.dataset.gappy = '';
				return texts.length;
			}
		}
	return 0;
};

/* Figures are ordered as numbers, whatever stands around them; what is missing comes last both ways. */
async function sortingNumbers(page, name) {
	if (!ok(await page.evaluate(gappy) > 0, `${name}: a column of figures with gaps`)) return;
	const column = () => page.$eval('[data-gappy]', (th) => (
		[...th.closest('table').tBodies[0].rows].map((r) => r.cells[th.cellIndex].textContent)));
	const value = (s) => (s === '–' ? null : parseFloat(/\d+(\.\d+)?/.exec(s.replace(/,/g, ''))[0]));

	for (const sign of [-1, 1]) {
		await page.$eval('[data-gappy] .sort', (b) => b.click());
		const got = (await column()).map(value), known = got.filter((v) => v !== null);
		same(known, known.slice().sort((a, b) => sign * (a - b)), `${name}: figures ${sign < 0 ? 'from the largest' : 'from the smallest'}`);
		same(got.indexOf(null), known.length, `${name}: what is missing comes last`);
	}
	await page.$eval('[data-gappy] .sort', (b) => b.click());
}

/* Row heads under "Device" that are not hidden. */
const devicesShown = (page) => page.$$eval('main > section:not(.yours) table', (tables) => {
	const title = JSON.parse(document.getElementById('page-data').textContent).text.device;
	return [...new Set(tables.flatMap((t) => [...t.tBodies[0].rows].filter((r) => !r.hidden && r.querySelector('th')
		&& t.tHead.rows[0].cells[r.querySelector('th').cellIndex].textContent === title)
		.map((r) => r.querySelector('th').textContent)))];
});

async function filtering(page, name, data) {
	const all = (await devicesShown(page)).length;
	const part = data.devices[0][0].slice(0, 3).toLowerCase(); /* in another case than the names */
	const cases = [
		['#yours-find', part, (d) => d[0].toLowerCase().includes(part)],
		['#yours-memory', '16', (d) => d[2] >= 16],
		['#yours-budget', '500', (d) => d[3] !== null && d[3] <= 500],
		['#yours-vendor', data.devices[0][1], (d) => d[1] === data.devices[0][1]],
	];
	for (const [field, value, wanted] of cases) {
		if (field.endsWith('vendor')) await page.selectOption(field, value); else await page.fill(field, value);
		const names = new Set(data.devices.filter(wanted).map((d) => d[0])), shown = await devicesShown(page);
		const known = new Set(data.devices.map((d) => d[0]));
		const odd = shown.filter((n) => !names.has(n) && (known.has(n) || !field.endsWith('find')));
		same(odd, [], `${name}: ${field} ${value} hides the other cards in the report's tables`);
		ok(shown.length > 0, `${name}: ${field} ${value} leaves some`);
		same((await ranking(page)).filter((n) => !names.has(n)), [], `${name}: and in the ranking`);
		ok(await page.locator('#page-filter').isVisible(), `${name}: ${field}: the page says that rows are hidden`);
		await page.click('#page-filter-clear');
		same((await devicesShown(page)).length, all, `${name}: cleared again`);
	}
}

/* Without a price typed the script must say what the edition says. */
async function agrees(page, name, dir, data) {
	const picks = csv(path.join(dir, 'data/picks.csv')).filter((p) => !(+p.rank > 1));
	const values = csv(path.join(dir, 'data/values.csv')), shown = await picksShown(page);
	const followed = picks.filter((p, i) => p.lens === 'card' && shown[i].now !== '–');

	same(shown.length, picks.length, `${name}: every reader of the advice`);
	ok(followed.length > 0, `${name}: some of them by the card alone`);
	for (const [i, p] of picks.entries())
		if (p.lens === 'card' && p.status === 'found') same(shown[i].now, p.device, `${name}: ${p.persona} as in picks.csv`);
	const stale = new Set(data.devices.filter((d) => d[6]).map((d) => d[0]));
	const anyFresh = data.devices.some((d) => d[3] !== null && !d[6]);
	for (const [cls] of data.classes) {
		await page.selectOption('#yours-work', cls);
		const want = values.filter((v) => v.class === cls && v.lens === 'card' && v.rank !== '' && !(anyFresh && stale.has(v.device)))
			.sort((x, y) => x.rank - y.rank).map((v) => v.device).slice(0, 15);
		same((await ranking(page)).slice(0, want.length), want, `${name}: ${cls} in the order of values.csv`);
	}
	await page.selectOption('#yours-work', '');
}

/* picks.csv says at which price of its runner-up a pick would change: the script must change there. */
async function flips(page, name, dir) {
	const picks = csv(path.join(dir, 'data/picks.csv')).filter((p) => !(+p.rank > 1));
	let tried = 0;

	await page.click('#yours-more').catch(() => {});
	for (const [i, p] of picks.entries()) {
		if (p.lens !== 'card' || p.status !== 'found' || p.flips_below_usd === '' || p.runner_up === '') continue;
		const input = priceOf(page, p.runner_up), flip = +p.flips_below_usd;
		await input.fill(String(flip * 1.001));
		same((await picksShown(page))[i].now, p.device, `${name}: ${p.persona} stays just above the price at which it flips`);
		await input.fill(String(flip * 0.999));
		same((await picksShown(page))[i].now, p.runner_up, `${name}: ${p.persona} is another card just below it`);
		await input.fill('');
		tried++;
	}
	const could = picks.some((p) => p.lens === 'card' && p.status === 'found' && p.flips_below_usd !== '');
	same(tried > 0, could, `${name}: advice that can flip was made to`);
}

async function typing(page, name, file, browser) {
	const before = { picks: await picksShown(page), order: await ranking(page) };
	const device = before.order[Math.min(9, before.order.length - 1)];

	await priceOf(page, device).fill('10');
	ok(await priceOf(page, device).evaluate((e) => e === document.activeElement), `${name}: the field keeps the hand`);
	await page.keyboard.press('Enter');
	same((await ranking(page))[0], device, `${name}: a card for ten dollars is the first`);
	ok((await page.textContent('#yours-status')).includes('1'), `${name}: the page says that this is not the edition`);
	ok(await page.locator('#yours-status.warn').isVisible(), `${name}: and warns`);
	const hash = await page.evaluate(() => location.hash), typed = { picks: await picksShown(page), order: await ranking(page) };
	const again = await open(browser, file, {}, hash);
	same({ picks: await picksShown(again), order: await ranking(again) }, typed, `${name}: the address brings it back`);
	same(await priceOf(again, device).inputValue(), '10', `${name}: and the price into its field`);
	await again.context().close();
	await page.fill('#yours-currency', 'EUR');
	await page.fill('#yours-rate', '0.5');
	ok((await page.textContent('#yours-picks')).includes(' EUR'), `${name}: costs in another currency`);
	const inEuros = await valueOf(page, device);
	await page.fill('#yours-rate', '1');
	await priceOf(page, device).fill('20');
	await page.keyboard.press('Enter');
	same(await valueOf(page, device), inEuros, `${name}: ten euros at half a euro a dollar are twenty dollars`);
	await page.click('#yours-reset');
	same({ picks: await picksShown(page), order: await ranking(page) }, before, `${name}: reset, and all is as the edition has it`);
	same(await page.evaluate(() => location.hash), '', `${name}: nothing left in the address`);
	ok(!(await page.locator('#yours-status.warn').isVisible()), `${name}: no warning left`);
}

const hostile = [
	'#prices?p=abc~RTX&c=%3Cscript%3E&r=-1&w=nonsense&v=none&m=NaN&b=Infinity',
	'#prices?p=5~%3Cimg%20src%3Dx%3E&c=' + encodeURIComponent('<b>&"'),
	'#prices?%',
];

module.exports = async function use(dir, browser) {
	for (const file of pages(dir)) {
		const page = await open(browser, path.join(dir, file), {});
		const data = JSON.parse(await page.textContent('#page-data'));
		await sorting(page, file);
		await sortingNumbers(page, file);
		await filtering(page, file, data);
		await agrees(page, file, dir, data);
		await typing(page, file, path.join(dir, file), browser);
		await flips(page, file, dir);
		same(page.faults, [], `${file}: no fault on the way`);
		same(page.asked.length, 1, `${file}: nothing was sent or loaded on the way`);
		await page.context().close();
		for (const hash of hostile) {
			const bad = await open(browser, path.join(dir, file), {}, hash);
			same([bad.faults, await bad.locator('.yours script, .yours img').count()], [[], 0], `${file}: ${hash} does no harm`);
			await bad.context().close();
		}
	}
};
