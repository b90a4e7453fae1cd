/* node tests/web/archive.js DIR: the page of all editions in a real browser, as TAP. DIR: what publish made, of
 * two months at least. */
'use strict';
const fs = require('fs');
const path = require('path');
const access = require('./access.js');
const nu = require('./nu.js');
const { ok, same, done, launch, open } = require('./lib.js');

const shown = (page) => page.$$eval('.edition', (list) => list.filter((e) => e.checkVisibility()).map((e) => e.id.slice(2)));

async function reads(file, browser) {
	const page = await open(browser, file), folders = await page.$$eval('.edition', (l) => l.map((e) => e.id.slice(2)));

	same(page.faults, [], 'no fault in the console');
	ok(page.asked.every((u) => u.startsWith('file:') || u.startsWith('data:')), 'nothing is asked of the net', page.asked);
	same(folders, [...folders].sort().reverse(), 'the newest first');
	for (const href of await page.$$eval('main a[href]', (l) => l.map((a) => a.getAttribute('href'))))
		if (!href.startsWith('#')) ok(fs.existsSync(path.join(path.dirname(file), href)), `${href} is there`);
	await page.context().close();
	return folders;
}

async function filters(file, browser, folders) {
	const page = await open(browser, file), newest = folders[0], oldest = folders[folders.length - 1];

	same(await page.textContent('#archive-status'), `${folders.length} editions`, 'all are counted');
	await page.fill('#archive-find', oldest);
	same(await shown(page), [oldest], 'found by its date, and unfolded');
	await page.fill('#archive-find', 'no such card');
	same(await shown(page), [], 'what is not there is not found');
	same(await page.textContent('#archive-status'), `0 of ${folders.length} editions`, 'and that is said');
	await page.click('#archive-clear');
	same(await page.textContent('#archive-status'), `${folders.length} editions`, 'all again');
	await page.selectOption('#archive-month', newest.slice(0, 7));
	same(await shown(page), folders.filter((f) => f.startsWith(newest.slice(0, 7))), 'one month');
	await page.selectOption('#archive-month', '');
	await page.selectOption('#archive-kind', 'first');
	same(await shown(page), [oldest], 'one kind of change');
	await page.context().close();
}

async function withoutScript(file, browser, folders) {
	const page = await open(browser, file, { javaScriptEnabled: false });

	ok(await page.locator('#archive-filter').isHidden(), 'without a script there is no filter');
	same(await page.locator('.edition').count(), folders.length, 'and every edition is there');
	await page.context().close();
}

(async () => {
	const dir = process.argv[2], file = path.join(dir, 'index.html'), browser = await launch();
	const folders = await reads(file, browser);

	await filters(file, browser, folders);
	await withoutScript(file, browser, folders);
	await access(dir, browser);
	await nu(dir);
	await browser.close();
	done();
})().catch((e) => {
	console.log('Bail out! ' + e.stack);
	process.exit(2);
});
