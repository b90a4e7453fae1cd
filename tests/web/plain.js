/* The page as it comes: asks for nothing, and all of it is there without scripting. */
'use strict';
const path = require('path');
const { ok, same, open, pages } = require('./lib.js');

/* What a reader can see, folded parts included. */
const seen = () => ({
	chapters: document.querySelectorAll('main > section:not(.yours) h2').length,
	tables: document.querySelectorAll('main > section:not(.yours) table').length,
	figures: document.querySelectorAll('main > section:not(.yours) figure svg').length,
	text: [...document.querySelectorAll('main > section:not(.yours)')].map((s) => s.textContent).join('').replace(/\s+/g, ' ').length,
});

async function landmarks(page) {
	return page.evaluate(() => {
		const levels = [...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map((h) => +h.tagName[1]);
		const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
		const links = [...document.querySelectorAll('a[href^="#"]')].map((a) => decodeURIComponent(a.hash.slice(1)));
		return {
			one: ['header', 'main', 'footer', 'h1'].filter((t) => document.querySelectorAll(t).length !== 1),
			skipped: levels.filter((l, i) => i > 0 && l > levels[i - 1] + 1).length,
			twice: ids.filter((id, i) => ids.indexOf(id) !== i),
			dead: links.filter((id) => !ids.includes(id)),
			captions: [...document.querySelectorAll('table')].filter((t) => !t.caption || t.caption.textContent.trim() === '').length,
			scopes: [...document.querySelectorAll('th')].filter((t) => !t.scope).length,
			first: document.querySelector('body > :first-child').className,
		};
	});
}

module.exports = async function plain(dir, browser) {
	for (const file of pages(dir)) {
		const page = await open(browser, path.join(dir, file), {});
		same(page.asked.length, 1, `${file}: nothing is asked for but the page`);
		same(page.faults, [], `${file}: nothing is refused and no script fails`);
		same(await landmarks(page), { one: [], skipped: 0, twice: [], dead: [], captions: 0, scopes: 0, first: 'skip' },
			`${file}: landmarks, order of headings, ids, captions and scopes`);
		const without = await open(browser, path.join(dir, file), { javaScriptEnabled: false });
		same(await without.evaluate(seen), await page.evaluate(seen), `${file}: as much without scripting`);
		ok(!(await without.locator('.yours').isVisible()), `${file}: no dead controls without scripting`);
		await page.context().close();
		await without.context().close();
	}
};
