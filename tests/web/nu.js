/* Every page through the Nu HTML checker: no error, no warning. */
'use strict';
const { execFileSync } = require('child_process');
const path = require('path');
const { ok, pages } = require('./lib.js');

/* The package says where its program lies. */
const jar = () => path.join(path.dirname(require.resolve('vnu-jar/package.json')), 'build', 'dist', 'vnu.jar');

module.exports = async function nu(dir) {
	for (const file of pages(dir)) {
		let messages = [];
		try {
			execFileSync('java', ['-jar', jar(), '--format', 'json', path.join(dir, file)], { stdio: 'pipe' });
		} catch (e) {
			messages = JSON.parse(e.stderr).messages;
		}
		const said = messages.map((m) => `${m.type} ${m.lastLine}:${m.lastColumn} ${m.message}`);
		ok(said.length === 0, `${file}: Nu HTML checker`, said.slice(0, 20).join('\n'));
	}
};
