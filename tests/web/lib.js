/* What the browser checks share: a count in TAP, a browser, CSV. */
'use strict';
const fs = require('fs');
const path = require('path');
const { chromium } = require('playwright-core');

let count = 0, failed = 0;

function ok(condition, name, detail) {
	count++;
	if (!condition) failed++;
	console.log(`${condition ? 'ok' : 'not ok'} ${count} - ${name}`);
	if (!condition && detail !== undefined)
		console.log('# ' + String(typeof detail === 'string' ? detail : JSON.stringify(detail)).replace(/\n/g, '\n# '));
	return condition;
}

function same(got, want, name) {
	return ok(JSON.stringify(got) === JSON.stringify(want), name, `got ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
}

function done() {
	console.log(`1..${count}`);
	process.exit(failed ? 1 : 0);
}

/* Rows as objects; our own files quote as RFC 4180 does. */
function csv(file) {
	const text = fs.readFileSync(file, 'utf8'), rows = [[]];
	let cell = '', quoted = false;

	for (let i = 0; i < text.length; i++) {
		const c = text[i];
		if (quoted && c === '"' && text[i + 1] === '"') cell += text[++i];
		else if (c === '"') quoted = !quoted;
		else if (!quoted && (c === ',' || c === '\n')) {
			rows[rows.length - 1].push(cell);
			cell = '';
			if (c === '\n') rows.push([]);
		} else cell += c;
	}
	rows.pop();
	const head = rows.shift();
	return rows.map((r) => Object.fromEntries(head.map((name, i) => [name, r[i]])));
}

const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox'] });

/* A page that tells what went wrong in it and what it asked for. */
async function open(browser, file, options, hash) {
	const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
	const page = await context.newPage();

	page.faults = [];
	page.asked = [];
	page.on('console', (m) => { if (['error', 'warning'].includes(m.type())) page.faults.push(m.text()); });
	page.on('pageerror', (e) => page.faults.push(e.message));
	page.on('request', (r) => page.asked.push(r.url()));
	await page.goto('file://' + path.resolve(file) + (hash || ''));
	return page;
}

/* index.html and index.LANGUAGE.html */
const pages = (dir) => fs.readdirSync(dir).filter((f) => /^index(\.[\w-]+)?\.html$/.test(f)).sort();

module.exports = { ok, same, done, csv, launch, open, pages };
