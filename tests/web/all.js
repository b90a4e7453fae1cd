/* node tests/web/all.js DIR [PART…]: the checks of a rendered edition in a real browser, as TAP. */
'use strict';
const { done, launch } = require('./lib.js');

const parts = { plain: require('./plain.js'), use: require('./use.js'), access: require('./access.js'), nu: require('./nu.js') };

(async () => {
	const [dir, ...wanted] = process.argv.slice(2), browser = await launch();

	for (const [name, part] of Object.entries(parts))
		if (!wanted.length || wanted.includes(name)) await part(dir, browser);
	await browser.close();
	done();
})().catch((e) => {
	console.log('Bail out! ' + e.stack);
	process.exit(2);
});
