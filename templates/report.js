/* What a page can do with scripting on: sort its tables, show some cards only, and follow prices that the
 * reader types. All of it works on what the page holds; nothing is loaded or sent.
 * The ranking follows values.csv (score a USD, the best of a class is one; the mean is geometric) and the
 * advice picks.csv (analyze/pick.h) for cards alone; the JSON is described in render/html_prices.h. */
(function () {
'use strict';

const $ = (id) => document.getElementById(id);
const lang = document.documentElement.lang || 'en';
const collator = new Intl.Collator(lang, { numeric: true });
const MEASURED = 0, SCALED = 1, ESTIMATED = 2;
const SHOWN = 20; /* rows of the ranking before all are asked for */

function element(tag, className, text) {
	const e = document.createElement(tag);

	if (className) e.className = className;
	if (text !== undefined) e.textContent = text;
	return e;
}

/* ---- sorting ---- */

/* A cell as a number: a date as its day, else the first figure; missing is NaN. */
function cellNumber(text) {
	const date = /^(\d{4})\D{1,3}(\d{1,2})\D{1,3}(\d{1,2})\D{0,2}$/.exec(text);
	if (date) return date[1] * 372 + date[2] * 31 + +date[3];
	const figure = /[-−]?\d+(\.\d+)?/.exec(text.replace(/(\d),(?=\d{3})/g, '$1'));
	return figure ? parseFloat(figure[0].replace('−', '-')) : NaN;
}

function compareCells(x, y, numeric) {
	if (!numeric) {
		const missing = (x === '–') - (y === '–');
		return missing ? [missing, false] : [collator.compare(x, y), true];
	}
	const a = cellNumber(x), b = cellNumber(y);
	if (isNaN(a) || isNaN(b)) return [isNaN(a) - isNaN(b), false];
	return [a - b, true];
}

/* First the direction that is mostly wanted: figures from the largest, words from A; then the other; then the
 * report's own order again. */
function nextOrder(now, numeric) {
	const order = numeric ? ['descending', 'ascending'] : ['ascending', 'descending'];
	return now ? order[order.indexOf(now) + 1] : order[0];
}

function sortRows(table, rows, column, order, numeric) {
	const sorted = rows.slice();

	if (order) {
		const key = new Map(rows.map((r) => [r, r.cells[column].textContent.trim()]));
		sorted.sort((p, q) => {
			const [c, turns] = compareCells(key.get(p), key.get(q), numeric);
			return turns && order === 'descending' ? -c : c;
		});
	}
	table.tBodies[0].append(...sorted);
}

function makeSortable(table) {
	const heads = [...table.tHead.rows[0].cells], rows = [...table.tBodies[0].rows];

	if (rows.length < 3) return;
	heads.forEach((th, column) => {
		const button = element('button', 'sort', th.textContent);
		button.type = 'button';
		th.textContent = '';
		th.append(button);
		button.addEventListener('click', () => {
			const numeric = th.classList.contains('num');
			const order = nextOrder(th.getAttribute('aria-sort'), numeric);
			heads.forEach((other) => other.removeAttribute('aria-sort'));
			if (order) th.setAttribute('aria-sort', order);
			sortRows(table, rows, column, order, numeric);
		});
	});
}

/* ---- the page around the tables ---- */

function foldContents() {
	const details = document.querySelector('.contents details');
	const narrow = matchMedia('(max-width: 69.99rem)');
	const fold = () => { details.open = !narrow.matches; };

	fold();
	narrow.addEventListener('change', fold);
	details.addEventListener('click', (event) => {
		if (narrow.matches && event.target.closest('a')) details.open = false;
	});
}

function markChapter() {
	const links = new Map([...document.querySelectorAll('.contents a')].map((a) => [a.hash.slice(1), a]));
	let current;
	const seen = new IntersectionObserver((entries) => {
		const top = entries.filter((e) => e.isIntersecting).pop();
		if (!top) return;
		if (current) current.removeAttribute('aria-current');
		current = links.get(top.target.id) || links.get(top.target.getAttribute('aria-labelledby'));
		if (current) current.setAttribute('aria-current', 'location');
	}, { rootMargin: '0px 0px -80% 0px' });

	document.querySelectorAll('main > section').forEach((s) => seen.observe(s));
}

function showWayBack() {
	const link = document.querySelector('.to-top'), head = document.querySelector('.masthead');

	new IntersectionObserver((entries) => {
		link.hidden = entries[entries.length - 1].isIntersecting;
	}).observe(head);
}

document.querySelectorAll('main > section:not(.yours) table').forEach(makeSortable);
foldContents();
markChapter();
showWayBack();

/* ---- readers' own prices ---- */

const data = JSON.parse($('page-data').textContent);
if (!data.devices) return;

const words = data.text;
const say = (key, args) => words[key].replace(/\{(\w+)\}/g, (_, name) => (args || {})[name]);
const devices = data.devices.map(([name, vendor, memory, price, low, high, stale, scores], index) => (
	{ index, name, vendor, memory, price, low, high, stale: stale === 1, scores }));
const personas = data.personas.map(
	([title, objective, lens, lensTitle, condition, gpus, budget, weights, passes, pick, status]) => (
		{ title, objective, lens, lensTitle, condition, gpus, budget, weights, passes, pick, status }));
const fresh = { typed: new Map(), currency: 'USD', rate: 1, work: '', find: '', vendor: '', memory: NaN,
	budget: NaN, all: false };
let state = { ...fresh, typed: new Map() };

/* What one card costs in USD; undefined where no price is known. */
function priceOf(d) {
	if (state.typed.has(d.index)) {
		const usd = state.typed.get(d.index) / state.rate;
		return { usd, low: usd, high: usd, fresh: true, typed: true };
	}
	if (d.price === null) return undefined;
	return { usd: d.price, low: d.low ?? d.price, high: d.high ?? d.price, fresh: !d.stale, typed: false };
}

/* "10,664.5": as the report groups figures in every language. */
function grouped(text) {
	const [whole, part] = text.split('.');
	return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (part === undefined ? '' : '.' + part);
}

function figure(v) {
	const size = Math.abs(v);
	const decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : size >= 0.01 ? 3 : 4;
	return grouped(v.toFixed(decimals));
}

/* Below 100 with cents, unless the amount is whole from 10 on; as render/format.h. */
function cents(v) {
	return v < 100 && !(v >= 10 && Math.abs(v - Math.round(v)) < 0.005) ? 2 : 0;
}

function money(usd) {
	const v = usd * state.rate, text = grouped(v.toFixed(cents(v)));

	return state.currency === 'USD' ? '$' + text : text + ' ' + state.currency;
}

/* Score a USD of each class, and the best of each class. An author's estimate is never the best. */
function classValues(prices) {
	const best = data.classes.map(() => 0);
	const values = devices.map((d) => d.scores.map((s, c) => {
		const p = prices[d.index];
		if (!s || !p || s[3] === ESTIMATED) return null;
		best[c] = Math.max(best[c], s[0] / p.usd);
		return { v: s[0] / p.usd, low: s[1] / p.high, high: s[2] / p.low };
	}));
	return values.map((row) => row.map((x, c) => x && (
		{ v: x.v / best[c], low: x.low / best[c], high: x.high / best[c] })));
}

function geometricMean(list) {
	const known = list.filter((v) => v !== null && v > 0);
	return known.length ? Math.exp(known.reduce((sum, v) => sum + Math.log(v), 0) / known.length) : null;
}

/* Value and score of a device in the work that is looked at; null where it has none. */
function inWork(d, values) {
	if (state.work === '') {
		const v = geometricMean(values[d.index].map((x) => x && x.v));
		const score = geometricMean(d.scores.map((s) => (s && s[3] !== ESTIMATED ? s[0] : null)));
		const scaled = d.scores.some((s) => s && s[3] === SCALED);
		return { value: v === null ? null : { v, low: NaN, high: NaN }, score, scaled };
	}
	const c = data.classes.findIndex(([name]) => name === state.work), s = d.scores[c];
	return { value: values[d.index][c], score: s && s[3] !== ESTIMATED ? s[0] : null, scaled: !!s && s[3] === SCALED };
}

/* All devices, first those that are ranked. While any price is of the day, old ones are not ranked. */
function rankAll() {
	const prices = devices.map(priceOf), values = classValues(prices);
	const anyFresh = prices.some((p) => p && p.fresh);
	const rows = devices.map((d) => ({ d, price: prices[d.index], ...inWork(d, values) }));

	rows.forEach((r) => { r.ranked = r.value !== null && (r.price.fresh || !anyFresh); });
	rows.sort((x, y) => (y.ranked - x.ranked) || ((y.value ? y.value.v : -1) - (x.value ? x.value.v : -1))
		|| ((y.score || 0) - (x.score || 0)) || (x.d.index - y.d.index));
	rows.forEach((r, i) => { r.rank = r.ranked ? i + 1 : null; });
	return rows;
}

/* ---- advice ---- */

/* The weighted geometric mean of analyze/gates.h; null where a class of the wish has no score. */
function wishScore(d, weights) {
	let sum = 0, mid = 0, low = 0, high = 0;

	for (let c = 0; c < weights.length; c++) {
		if (!(weights[c] > 0)) continue;
		const s = d.scores[c];
		if (!s || s[3] === ESTIMATED) return null;
		mid += weights[c] * Math.log(s[0]);
		low += weights[c] * (s[1] === null ? NaN : Math.log(s[1]));
		high += weights[c] * (s[2] === null ? NaN : Math.log(s[2]));
		sum += weights[c];
	}
	return sum > 0 ? { v: Math.exp(mid / sum), low: Math.exp(low / sum), high: Math.exp(high / sum) } : null;
}

function candidatesOf(p) {
	const prices = devices.map(priceOf), anyFresh = prices.some((x) => x && x.fresh);

	return devices.map((d) => ({ d, price: prices[d.index] })).filter(({ d, price }) => (
		p.passes[d.index] === '1' && price && (price.fresh || !anyFresh)
		&& !(price.usd * p.gpus > (p.budget ?? Infinity)))).map(({ d, price }) => {
		const s = wishScore(d, p.weights);
		return s && { d, price, score: s,
			value: { v: s.v / price.usd, low: s.low / price.high, high: s.high / price.low } };
	}).filter((c) => c);
}

function rankFor(p) {
	const by = p.objective === 'value'
		? (x, y) => y.value.v - x.value.v || x.d.index - y.d.index
		: (x, y) => y.score.v - x.score.v || x.price.usd - y.price.usd || x.d.index - y.d.index;
	return candidatesOf(p).sort(by);
}

function whyText(p, list) {
	const v = (c) => figure(p.objective === 'value' ? c.value.v * 1000 / state.rate : c.score.v);
	const first = say(p.objective === 'value' ? 'per_thousand' : 'score', { v: v(list[0]), currency: state.currency });

	return list.length < 2 ? first : say('against', { first, second: v(list[1]), device: list[1].d.name });
}

/* Cards whose interval reaches into that of the best. */
function tiedNames(p, list) {
	const key = p.objective === 'value' ? 'value' : 'score';
	const names = list.slice(1).filter((c) => c[key].high >= list[0][key].low).map((c) => c.d.name);
	return names.length > 4 ? names.slice(0, 3).concat('…') : names;
}

/* ---- showing ---- */

function priceNote(r) {
	if (r.price && r.price.typed) return say('typed');
	if (!r.price) return say('no_price');
	return r.d.stale ? say('old_price') : '';
}

function priceInput(d) {
	const input = element('input');

	input.type = 'number';
	input.min = '0';
	input.step = 'any';
	input.inputMode = 'decimal';
	input.addEventListener('input', () => {
		const v = parseFloat(input.value);
		if (v > 0) state.typed.set(d.index, v); else state.typed.delete(d.index);
		update(false);
	});
	input.addEventListener('change', () => update(true));
	return input;
}

/* A row a device, made once: an input that is typed into must not be replaced. */
const rankRows = devices.map((d) => {
	const tr = element('tr'), bar = element('div', 'bar');
	const cells = { rank: element('td', 'num'), name: element('th', '', d.name), price: element('td', 'num'),
		value: element('td', 'bars'), score: element('td', 'num'),
		memory: element('td', 'num', d.memory === null ? '–' : d.memory + ' GB'), note: element('td', 'muted') };
	const input = priceInput(d), fill = element('i'), whisker = element('b'), text = element('span');

	cells.name.scope = 'row';
	cells.price.append(input);
	bar.append(fill, whisker);
	cells.value.append(bar, text);
	tr.append(...Object.values(cells));
	return { tr, cells, input, fill, whisker, text };
});

function showBar(row, r, most) {
	const v = r.value, share = (x) => Math.min(100, Math.max(0, 100 * x / most));

	row.tr.classList.toggle('unranked', !r.ranked);
	row.fill.style.width = v ? share(v.v) + '%' : '0';
	row.whisker.hidden = !v || isNaN(v.low) || v.low === null;
	if (!row.whisker.hidden) {
		row.whisker.style.left = share(v.low) + '%';
		row.whisker.style.width = share(v.high) - share(v.low) + '%';
	}
	row.text.textContent = v ? figure(v.v) + (row.whisker.hidden ? '' : ` (${figure(v.low)}–${figure(v.high)})`)
		: r.score === null ? say('no_score') : '–';
}

function showRow(r, most) {
	const row = rankRows[r.d.index], { cells, input } = row;

	cells.rank.textContent = r.rank ?? '–';
	input.setAttribute('aria-label', say('price_of', { device: r.d.name, currency: state.currency }));
	input.placeholder = r.d.price === null ? '–' : (r.d.price * state.rate).toFixed(cents(r.d.price * state.rate));
	const typed = state.typed.get(r.d.index);
	if (document.activeElement !== input) input.value = typed === undefined ? '' : typed;
	cells.note.textContent = priceNote(r);
	cells.score.textContent = r.score === null ? '–' : (r.scaled ? '~' : '') + figure(r.score);
	row.tr.classList.toggle('typed', typed !== undefined);
	showBar(row, r, most);
}

function matches(d) {
	const p = priceOf(d);

	return d.name.toLocaleLowerCase().includes(state.find.toLocaleLowerCase())
		&& (state.vendor === '' || d.vendor === state.vendor)
		&& (isNaN(state.memory) || (d.memory !== null && d.memory >= state.memory))
		&& (isNaN(state.budget) || (!!p && p.usd * state.rate <= state.budget));
}

const filtering = () => state.find !== '' || state.vendor !== '' || !isNaN(state.memory) || !isNaN(state.budget);

/* reorder: false while somebody types, so that the row stays under the hand. */
function showRanking(reorder) {
	const rows = rankAll(), most = Math.max(...rows.filter((r) => r.ranked).map((r) => r.value.v), 0) || 1;
	const found = rows.filter((r) => matches(r.d));
	const shown = state.all ? found : found.slice(0, SHOWN);
	const focus = document.activeElement;

	rows.forEach((r) => showRow(r, most));
	if (reorder) {
		$('yours-ranking').tBodies[0].replaceChildren(...shown.map((r) => rankRows[r.d.index].tr));
		if (focus && focus !== document.activeElement && focus.isConnected) focus.focus();
	}
	$('yours-more').hidden = shown.length === found.length;
	$('yours-more').textContent = say('more', { n: found.length });
}

function pickCells(p) {
	const edition = p.status === 'keep' ? say('keep') : p.status === 'none' ? say('none')
		: p.pick < 0 ? '–' : (p.status === 'nearest' ? say('none') : devices[p.pick].name);

	if (p.lens !== 'card' || p.condition !== 'any')
		return { edition, now: '–', cost: '–', why: say('not_followed', { lens: p.lensTitle }), changed: false };
	const list = rankFor(p);
	if (!list.length) {
		const now = p.status === 'keep' ? say('keep') : say('none');
		return { edition, now, cost: '–', why: '–', changed: now !== edition };
	}
	const tied = tiedNames(p, list);
	return { edition, now: list[0].d.name, cost: money(list[0].price.usd * p.gpus), changed: list[0].d.name !== edition,
		why: whyText(p, list) + (tied.length ? `${say('semicolon')}${say('tied')} ${tied.join(say('comma'))}` : '') };
}

function showPicks() {
	$('yours-personas').hidden = personas.length === 0;
	$('yours-picks').tBodies[0].replaceChildren(...personas.map((p) => {
		const tr = element('tr'), cells = pickCells(p), name = element('th', '', p.title);
		name.scope = 'row';
		tr.append(name, element('td', '', cells.edition), element('td', cells.changed ? 'strong changed' : '', cells.now),
			element('td', 'num', cells.cost), element('td', '', cells.why));
		return tr;
	}));
}

/* Tables of the report whose rows are devices: their row heads stand under "Device". Of one that the edition does
 * not cover the name alone is known. */
const byName = new Map(devices.map((d) => [d.name, d]));
const stranger = (name) => ({ index: -1, name, vendor: '', memory: null, price: null });
const deviceRows = [...document.querySelectorAll('main > section:not(.yours) table')].flatMap((table) => {
	const rows = [...table.tBodies[0].rows], at = rows[0] ? [...rows[0].cells].findIndex((c) => c.tagName === 'TH') : -1;
	if (at < 0 || table.tHead.rows[0].cells[at].textContent !== words.device) return [];
	return rows.map((tr) => ({ tr, d: byName.get(tr.cells[at].textContent) || stranger(tr.cells[at].textContent) }));
});

function showFilter() {
	const n = devices.filter(matches).length;

	deviceRows.forEach(({ tr, d }) => { tr.hidden = !matches(d); });
	$('page-filter').hidden = !filtering();
	$('page-filter-text').textContent = say('shown', { n, of: devices.length });
}

function showStatus() {
	const changed = state.typed.size > 0 || state.rate !== 1;

	$('yours-status').textContent = changed ? say('changed', { n: state.typed.size }) : say('unchanged');
	$('yours-status').classList.toggle('warn', changed);
	$('yours-reset').disabled = !changed;
	$('yours-clear').disabled = !filtering();
}

const inputs = { find: $('yours-find'), vendor: $('yours-vendor'), memory: $('yours-memory'), budget: $('yours-budget'),
	work: $('yours-work'), currency: $('yours-currency'), rate: $('yours-rate') };

function showInputs() {
	for (const [name, input] of Object.entries(inputs)) {
		const v = state[name];
		if (document.activeElement !== input) input.value = typeof v === 'number' && isNaN(v) ? '' : v;
	}
}

/* ---- the address ---- */

/* "#prices?p=350~RTX 2070&c=EUR&r=0.92": short, and what the reader did alone. */
function address() {
	const q = new URLSearchParams();

	state.typed.forEach((v, i) => q.append('p', v + '~' + devices[i].name));
	for (const [key, name] of [['c', 'currency'], ['r', 'rate'], ['w', 'work'], ['q', 'find'], ['v', 'vendor'],
		['m', 'memory'], ['b', 'budget']])
		if (!Object.is(state[name], fresh[name])) q.set(key, state[name]);
	return q.size || q.toString() ? '#prices?' + q : '';
}

function positive(text, otherwise) {
	const v = parseFloat(text);
	return v > 0 && isFinite(v) ? v : otherwise;
}

function readAddress() {
	if (!location.hash.startsWith('#prices?')) return false;
	const q = new URLSearchParams(location.hash.slice('#prices?'.length));

	state = { ...fresh, typed: new Map(), currency: (q.get('c') || fresh.currency).slice(0, 5),
		rate: positive(q.get('r'), fresh.rate), find: q.get('q') || '', memory: positive(q.get('m'), NaN),
		budget: positive(q.get('b'), NaN) };
	if (data.classes.some(([name]) => name === q.get('w'))) state.work = q.get('w');
	if (devices.some((d) => d.vendor === q.get('v'))) state.vendor = q.get('v');
	for (const entry of q.getAll('p')) {
		const at = entry.indexOf('~'), d = byName.get(entry.slice(at + 1)), v = positive(entry.slice(0, at), 0);
		if (d && v) state.typed.set(d.index, v);
	}
	return true;
}

function writeAddress() {
	const hash = address();

	$('yours-link').href = hash || '#your-prices';
	if (hash || location.hash.startsWith('#prices?'))
		history.replaceState(null, '', hash || location.pathname + location.search);
}

function update(reorder) {
	showInputs();
	showRanking(reorder);
	showPicks();
	showFilter();
	showStatus();
	writeAddress();
}

function reset(names) {
	for (const name of names) state[name] = fresh[name];
	document.activeElement.blur(); /* what is typed into is left alone by update() */
	update(true);
	inputs.find.focus({ preventScroll: true });
}

function clearFilter() {
	reset(['find', 'vendor', 'memory', 'budget']);
}

function listen() {
	const numbers = { memory: NaN, budget: NaN, rate: 1 };

	for (const [name, input] of Object.entries(inputs))
		input.addEventListener('input', () => {
			state[name] = name in numbers ? positive(input.value, numbers[name])
				: name === 'currency' ? input.value.trim() || fresh.currency : input.value;
			update(true);
		});
	$('yours-reset').addEventListener('click', () => {
		state.typed = new Map();
		reset(['currency', 'rate']);
	});
	$('yours-clear').addEventListener('click', clearFilter);
	$('page-filter-clear').addEventListener('click', clearFilter);
	$('yours-more').addEventListener('click', () => { state.all = true; update(true); });
	addEventListener('hashchange', () => { if (readAddress()) update(true); });
}

function start() {
	data.classes.forEach(([name, title]) => inputs.work.add(new Option(title, name)));
	[...new Set(devices.map((d) => d.vendor).filter((v) => v))].sort().forEach((v) => inputs.vendor.add(new Option(v, v)));
	$('your-prices').hidden = false;
	const link = $('to-your-prices'); /* the part stands behind the first chapter */
	if (link.nextElementSibling) link.nextElementSibling.after(link);
	link.hidden = false;
	listen();
	const shared = readAddress();
	update(true);
	if (shared) $('your-prices').scrollIntoView();
}

start();
}());
