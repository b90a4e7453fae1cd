// DuckDB's figures of one folder of contributions, by the package that NODE_PATH has: node duckdb.cjs THREADS bare|groups FOLDER
// bare prints "count,sum,max" of all rows, groups the lines of peer_libcsv.
const { DuckDBInstance } = require('@duckdb/node-api');
const [threads, what, folder] = process.argv.slice(2);

const from = `read_csv('${folder.replaceAll("'", "''")}/*.csv', header = true, delim = ',', quote = '"', escape = '"',
	null_padding = false, columns = { machine: 'VARCHAR', date: 'VARCHAR', device: 'VARCHAR', device_count: 'INTEGER',
	class: 'VARCHAR', workload: 'VARCHAR', precision: 'VARCHAR', batch_size: 'INTEGER', metric: 'VARCHAR',
	value: 'DOUBLE', unit: 'VARCHAR', framework: 'VARCHAR', driver: 'VARCHAR', repeat: 'INTEGER', source: 'VARCHAR' })`;
const queries = {
	bare: `select count(*), sum(value), max(value) from ${from}`,
	groups: `select device, workload, metric, count(*), sum(value), max(value), median(value) from ${from} group by all`,
};

(async () => {
	const db = await DuckDBInstance.create(':memory:', { threads });
	const connection = await db.connect();
	const result = await connection.runAndReadAll(queries[what]);
	for (const row of result.getRows()) console.log(row.join(','));
})().catch((e) => {
	console.error(String(e));
	process.exit(1);
});
