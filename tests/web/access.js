/* Accessibility: axe-core finds nothing in light, dark, on a phone and in print. */
'use strict';
const fs = require('fs');
const path = require('path');
const { ok, open, pages } = require('./lib.js');

const views = [
	{ name: 'light', options: { colorScheme: 'light' } },
	{ name: 'dark', options: { colorScheme: 'dark' } },
	{ name: 'phone', options: { colorScheme: 'light', viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } },
	{ name: 'print', options: { colorScheme: 'light' }, media: 'print' },
	{ name: 'light, all unfolded', options: { colorScheme: 'light' }, unfold: true },
	{ name: 'dark, with prices typed', options: { colorScheme: 'dark' }, hash: '#prices?c=EUR&r=0.9&q=RTX' },
];

async function violations(page) {
	/* not as a <script>, which the policy of the page would refuse */
	await page.evaluate(fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
	const result = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
	return result.violations.map((v) => `${v.id}: ${v.help}\n${v.nodes.slice(0, 3).map((n) => '  ' + n.html.slice(0, 160) + ' ' + n.failureSummary.slice(0, 200)).join('\n')}`);
}

/* On a phone nothing but the regions made for it may be wider than the screen. */
async function fits(page) {
	return page.evaluate(() => document.scrollingElement.scrollWidth <= innerWidth);
}

module.exports = async function access(dir, browser) {
	for (const file of pages(dir))
		for (const view of views) {
			const page = await open(browser, path.join(dir, file), view.options, view.hash);
			if (view.media) await page.emulateMedia({ media: view.media });
			if (view.unfold) await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
			ok(await fits(page), `${file}, ${view.name}: nothing sticks out sideways`);
			const found = await violations(page);
			ok(found.length === 0, `${file}, ${view.name}: axe-core`, found.join('\n'));
			await page.context().close();
		}
};
