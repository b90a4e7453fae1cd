#include "offer.h"

#include "../base/file.h"

/* Neither the user's nor the system's settings count: what a source may do stands here. Names of
 * files are quoted; '%' would begin a token. */
static const char settings[] =
	"Host *\n"
	"BatchMode yes\n"
	"StrictHostKeyChecking yes\n"
	"UpdateHostKeys no\n"
	"PasswordAuthentication no\n"
	"ConnectTimeout 20\n"
	"ServerAliveInterval 10\n"
	"ServerAliveCountMax 3\n"
	"ForwardAgent no\n"
	"ForwardX11 no\n"
	"ClearAllForwardings yes\n"
	"PermitLocalCommand no\n"
	"ProxyCommand none\n"
	"ControlMaster no\n"
	"ControlPath none\n";

static void add_file(struct strbuf *b, const char *key, struct str path)
{
	strbuf_printf(b, "%s \"", key);
	for (size_t i = 0; i < path.len; i++) {
		if (path.p[i] == '%')
			strbuf_addc(b, '%');
		strbuf_addc(b, path.p[i]);
	}
	strbuf_add(b, STR("\"\n"));
}

bool fetch_ssh_command(const struct fetch_source *s, const char *dir, struct arena *a,
		       const char **command, struct error *err)
{
	struct str name = str_printf(a, STR_FMT ".ssh", STR_ARG(s->name));
	struct strbuf b = { .arena = a };
	struct fetch_ssh_address address;

	strbuf_add(&b, str_of(settings));
	if (s->known_hosts.len) {
		add_file(&b, "UserKnownHostsFile", s->known_hosts);
		strbuf_add(&b, STR("GlobalKnownHostsFile /dev/null\n"));
	}
	if (s->ssh_key.len) {
		add_file(&b, "IdentityFile", s->ssh_key);
		strbuf_add(&b, STR("IdentitiesOnly yes\n"));
	}
	if (s->type == FETCH_SSH && fetch_ssh_address_parse(s->url, &address) && address.port.len)
		strbuf_printf(&b, "Port " STR_FMT "\n", STR_ARG(address.port));
	*command = str_c(a, str_printf(a, "ssh -F " STR_FMT, STR_ARG(name)));
	return file_write(str_c(a, file_join(a, str_of(dir), name)), strbuf_str(&b), err);
}
