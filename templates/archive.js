'use strict';
/* Filters the list of editions by text, month and kind of change. Without this script all is listed. */
(() => {
	const $ = (id) => document.getElementById(id);
	const filter = $('archive-filter');
	if (!filter) return;
	const months = [...document.querySelectorAll('.month')].map((details) => ({
		details,
		opened: details.open,
		key: details.dataset.month,
		editions: [...details.querySelectorAll('.edition')].map((element) => ({
			element,
			kinds: element.dataset.kinds.split(' '),
			text: null, /* read when first searched */
		})),
	}));
	const find = $('archive-find'), month = $('archive-month'), kind = $('archive-kind'), status = $('archive-status');
	const total = months.reduce((n, m) => n + m.editions.length, 0);

	const years = [...new Set(months.map((m) => m.key.slice(0, 4)))];
	const option = (to, value, text) => {
		const o = document.createElement('option');
		o.value = value;
		o.textContent = text;
		to.append(o);
	};
	for (const year of years) {
		option(month, year, `All of ${year}`);
		for (const m of months)
			if (m.key.startsWith(year)) option(month, m.key, m.details.querySelector('h3').textContent);
	}

	const fold = (text) => text.toLowerCase().normalize('NFKC').replace(/\s+/g, ' ').trim();
	const matches = (e, words) => {
		if (kind.value && !e.kinds.includes(kind.value)) return false;
		if (words.length === 0) return true;
		e.text ??= fold(e.element.textContent);
		return words.every((w) => e.text.includes(w));
	};

	function apply() {
		const words = fold(find.value).split(' ').filter(Boolean);
		const filtered = words.length > 0 || month.value !== '' || kind.value !== '';
		let shown = 0, unfolded = 0;

		for (const m of months) {
			let here = 0;
			for (const e of m.editions) {
				const match = m.key.startsWith(month.value) && matches(e, words);
				e.element.hidden = !match;
				here += match;
			}
			m.details.hidden = here === 0;
			shown += here;
			/* what is found is unfolded, as long as it is not a whole year of nights */
			m.details.open = filtered ? here > 0 && (unfolded += here) <= 100 : m.opened;
		}
		status.textContent = filtered ? `${shown} of ${total} editions` : `${total} editions`;
	}

	filter.hidden = false;
	for (const control of [find, month, kind]) control.addEventListener('input', apply);
	$('archive-clear').addEventListener('click', () => {
		find.value = month.value = kind.value = '';
		apply();
		find.focus();
	});
	apply();
})();
