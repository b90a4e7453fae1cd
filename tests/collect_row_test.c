/* One faulty row or file at a time: its reject, its message, and that the sound row beside it
 * counts. */
#include "collect_fixture.h"

#define HEAD                                                                                       \
	"machine,date,device,device_count,class,workload,precision,batch_size,metric,value,unit,"  \
	"repeat\n"
/* A sound row with one cell in place of its own. */
#define ROW(machine, date, device, n, class, workload, precision, batch, metric, value, unit,      \
	    repeat)                                                                                \
	machine "," date "," device "," n "," class "," workload "," precision "," batch           \
						    "," metric "," value "," unit "," repeat "\n"
#define SOUND                                                                                      \
	ROW("m1", "2024-05-06", "RTX 2080 Ti", "1", "cnn", "resnet50", "fp32", "64", "throughput", \
	    "290.5", "images/s", "1")
#define VALUE(value)                                                                               \
	ROW("m1", "2024-05-06", "RTX 2080 Ti", "1", "cnn", "resnet50", "fp32", "64", "throughput", \
	    value, "images/s", "1")
#define DEVICE(device)                                                                             \
	ROW("m1", "", device, "", "cnn", "resnet50", "fp32", "64", "throughput", "290.5",          \
	    "images/s", "1")

struct row_case {
	const char *name, *row; /* stands in line 3, below a sound one */
	const char *reject;     /* its line of rejects.csv after "lab/x.csv," */
	const char *message;    /* after "lab/x.csv:" */
};

static const struct row_case cases[] = {
	{ "number: thousands mark", VALUE("\"1,234.5\""),
	  "3,value,number,\"1,234.5\",\"'1,234.5' is not a number\",rejected\n",
	  "3:61: value: '1,234.5' is not a number\n" },
	{ "number: nan", VALUE("nan"), "3,value,number,nan,'nan' is not a number,rejected\n",
	  "3:61: value: 'nan' is not a number\n" },
	{ "number: inf", VALUE("-inf"), "3,value,number,'-inf,''-inf' is not a number,rejected\n",
	  "3:61: value: '-inf' is not a number\n" },
	{ "number: hex", VALUE("0x1f"), "3,value,number,0x1f,'0x1f' is not a number,rejected\n",
	  "3:61: value: '0x1f' is not a number\n" },
	{ "number: unit in cell", VALUE("290 images/s"),
	  "3,value,number,290 images/s,'290 images/s' is not a number,rejected\n",
	  "3:61: value: '290 images/s' is not a number\n" },
	{ "number: a decimal comma in a , file", VALUE("\"290,5\""),
	  "3,value,number,\"290,5\",\"'290,5' is not a number\",rejected\n",
	  "3:61: value: '290,5' is not a number\n" },
	{ "number: empty", VALUE(""), "3,value,number,,no value given,rejected\n",
	  "3:61: value: no value given\n" },
	{ "range: zero", VALUE("0"),
	  "3,value,range,0,\"0 images/s is outside what is believable of resnet50, 1 to "
	  "1e+06\",rejected\n",
	  "3:61: value: 0 images/s is outside what is believable of resnet50, 1 to 1e+06\n" },
	{ "range: negative", VALUE("-3"),
	  "3,value,range,-3,\"'-3 images/s is outside what is believable of resnet50, 1 to "
	  "1e+06\",rejected\n",
	  "3:61: value: -3 images/s is outside what is believable of resnet50, 1 to 1e+06\n" },
	{ "range: too much", VALUE("2.9e10"),
	  "3,value,range,2.9e10,\"2.9e+10 images/s is outside what is believable of resnet50, 1 to "
	  "1e+06\","
	  "rejected\n",
	  "3:61: value: 2.9e+10 images/s is outside what is believable of resnet50, 1 to 1e+06\n" },
	/* 1000 x 24.6e9 = 24.6 TFLOP/s against 13.45 */
	{ "above-roofline: a rate", VALUE("1000"),
	  "3,value,above-roofline,1000,\"1000 images/s of resnet50 is 24.6 TFLOP/s of arithmetic, "
	  "above the peak of "
	  "1 x RTX 2080 Ti, 13.45 TFLOP/s in fp32\",rejected\n",
	  "3:61: value: 1000 images/s of resnet50 is 24.6 TFLOP/s of arithmetic, above the peak of "
	  "1 x RTX 2080 Ti, "
	  "13.45 TFLOP/s in fp32\n" },
	/* 24.6e9 / 0.001 s = 24.6 TFLOP/s a device */
	{ "above-roofline: a time",
	  ROW("m1", "", "RTX 2080 Ti", "2", "cnn", "resnet50", "fp32", "64", "time", "1", "ms",
	      "1"),
	  "3,value,above-roofline,1,\"1 ms of resnet50 is 49.2 TFLOP/s of arithmetic, above the "
	  "peak of 2 x RTX 2080 "
	  "Ti, 26.9 TFLOP/s in fp32\",rejected\n",
	  "3:45: value: 1 ms of resnet50 is 49.2 TFLOP/s of arithmetic, above the peak of 2 x RTX "
	  "2080 Ti, 26.9 "
	  "TFLOP/s in fp32\n" },
	{ "date: another order",
	  ROW("m1", "06.05.2024", "RTX 2080 Ti", "1", "cnn", "resnet50", "fp32", "64", "throughput",
	      "290.5", "images/s", "1"),
	  "3,date,date,06.05.2024,'06.05.2024' is not a day as in 2019-05-28,rejected\n",
	  "3:4: date: '06.05.2024' is not a day as in 2019-05-28\n" },
	{ "date: no such day",
	  ROW("m1", "2023-02-29", "RTX 2080 Ti", "1", "cnn", "resnet50", "fp32", "64", "throughput",
	      "290.5", "images/s", "1"),
	  "3,date,date,2023-02-29,'2023-02-29' is not a day as in 2019-05-28,rejected\n",
	  "3:4: date: '2023-02-29' is not a day as in 2019-05-28\n" },
	{ "count: no device at all",
	  ROW("m1", "", "RTX 2080 Ti", "0", "cnn", "resnet50", "fp32", "64", "throughput", "290.5",
	      "images/s", "1"),
	  "3,device_count,count,0,'0' is not a whole number from 1 on,rejected\n",
	  "3:17: device_count: '0' is not a whole number from 1 on\n" },
	{ "count: more devices than there are",
	  ROW("m1", "", "RTX 2080 Ti", "1000001", "cnn", "resnet50", "fp32", "64", "throughput",
	      "290.5", "images/s", "1"),
	  "3,device_count,count,1000001,'1000001' is more than 1000000,rejected\n",
	  "3:17: device_count: '1000001' is more than 1000000\n" },
	{ "count: half a batch",
	  ROW("m1", "", "RTX 2080 Ti", "1", "cnn", "resnet50", "fp32", "6.5", "throughput", "290.5",
	      "images/s", "1"),
	  "3,batch_size,count,6.5,'6.5' is not a whole number from 0 on,rejected\n",
	  "3:37: batch_size: '6.5' is not a whole number from 0 on\n" },
	{ "count: repeat",
	  ROW("m1", "", "RTX 2080 Ti", "1", "cnn", "resnet50", "fp32", "64", "throughput", "290.5",
	      "images/s", "x"),
	  "3,repeat,count,x,'x' is not a whole number from 0 on,rejected\n",
	  "3:66: repeat: 'x' is not a whole number from 0 on\n" },
	{ "count: batch 0 beside a value",
	  ROW("m1", "", "RTX 2080 Ti", "1", "cnn", "resnet50", "fp32", "0", "throughput", "290.5",
	      "images/s", "1"),
	  "3,batch_size,count,0,0 beside a value: it stands for a run that did not fit,rejected\n",
	  "3:37: batch_size: 0 beside a value: it stands for a run that did not fit\n" },
	{ "unit: a time for a rate",
	  ROW("m1", "", "RTX 2080 Ti", "1", "cnn", "resnet50", "fp32", "64", "throughput", "290.5",
	      "ms", "1"),
	  "3,unit,unit,ms,'ms' where resnet50 throughput is in images/s,rejected\n",
	  "3:57: unit: 'ms' where resnet50 throughput is in images/s\n" },
	{ "unit: none",
	  ROW("m1", "", "RTX 2080 Ti", "1", "cnn", "resnet50", "fp32", "64", "throughput", "290.5",
	      "", "1"),
	  "3,unit,unit,,no unit given,rejected\n", "3:57: unit: no unit given\n" },
	{ "metric: another",
	  ROW("m1", "", "RTX 2080 Ti", "1", "cnn", "resnet50", "fp32", "64", "speed", "290.5",
	      "images/s", "1"),
	  "3,metric,metric,speed,\"'speed' is not a metric of resnet50, which has throughput, "
	  "time\",rejected\n",
	  "3:40: metric: 'speed' is not a metric of resnet50, which has throughput, time\n" },
	{ "metric: none",
	  ROW("m1", "", "RTX 2080 Ti", "1", "cnn", "resnet50", "fp32", "64", "", "290.5",
	      "images/s", "1"),
	  "3,metric,metric,,no metric given,rejected\n", "3:40: metric: no metric given\n" },
	{ "workload-unknown",
	  ROW("m1", "", "RTX 2080 Ti", "1", "cnn", "resnet51", "fp32", "64", "throughput", "290.5",
	      "images/s", "1"),
	  "3,workload,workload-unknown,resnet51,\"workload 'resnet51' is not in the catalogue; "
	  "nearest: resnet50\","
	  "rejected\n",
	  "3:23: workload: workload 'resnet51' is not in the catalogue; nearest: resnet50\n" },
	{ "workload-unknown: none",
	  ROW("m1", "", "RTX 2080 Ti", "1", "cnn", "", "fp32", "64", "throughput", "290.5",
	      "images/s", "1"),
	  "3,workload,workload-unknown,,no workload given,rejected\n",
	  "3:23: workload: no workload given\n" },
	{ "class: contradicts the catalogue",
	  ROW("m1", "", "RTX 2080 Ti", "1", "transformer", "resnet50", "fp32", "64", "throughput",
	      "290.5", "images/s", "1"),
	  "3,class,class,transformer,\"'transformer', but resnet50 is of class cnn\",rejected\n",
	  "3:19: class: 'transformer', but resnet50 is of class cnn\n" },
	{ "class: unknown",
	  ROW("m1", "", "RTX 2080 Ti", "1", "vision", "resnet50", "fp32", "64", "throughput",
	      "290.5", "images/s", "1"),
	  "3,class,class,vision,'vision' is not a class of workloads,rejected\n",
	  "3:19: class: 'vision' is not a class of workloads\n" },
	{ "precision",
	  ROW("m1", "", "RTX 2080 Ti", "1", "cnn", "resnet50", "half", "64", "throughput", "290.5",
	      "images/s", "1"),
	  "3,precision,precision,half,'half' is not a known precision,rejected\n",
	  "3:32: precision: 'half' is not a known precision\n" },
	{ "device-unknown: three near names", DEVICE("RTX 2081"),
	  "3,device,device-unknown,RTX 2081,\"device 'RTX 2081' is not in the catalogue; nearest: "
	  "RTX 2080, RTX 2060, "
	  "RTX 2070\",rejected\n",
	  "3:5: device: device 'RTX 2081' is not in the catalogue; nearest: RTX 2080, RTX 2060, "
	  "RTX 2070\n" },
	{ "device-unknown: none", DEVICE(""), "3,device,device-unknown,,no device given,rejected\n",
	  "3:5: device: no device given\n" },
	{ "device-ambiguous", DEVICE("Tesla V100"),
	  "3,device,device-ambiguous,Tesla V100,\"device 'Tesla V100' could be any of Tesla V100 "
	  "PCIe 16GB, Tesla V100 "
	  "SXM2 16GB\",rejected\n",
	  "3:5: device: device 'Tesla V100' could be any of Tesla V100 PCIe 16GB, Tesla V100 SXM2 "
	  "16GB\n" },
	{ "syntax: no machine",
	  ROW("", "", "RTX 2080 Ti", "1", "cnn", "resnet50", "fp32", "64", "throughput", "290.5",
	      "images/s", "1"),
	  "3,machine,syntax,,no machine given,rejected\n", "3:1: machine: no machine given\n" },
	{ "character: a machine of control characters only",
	  ROW("\x01\xC2\x9B", "", "RTX 2080 Ti", "1", "cnn", "resnet50", "fp32", "64", "throughput",
	      "290.5", "images/s", "1"),
	  "3,machine,character,<U+0001><U+009B>,\"'<U+0001><U+009B>' holds U+0001, a character "
	  "that is "
	  "not seen as it is\",rejected\n",
	  "3:1: machine: '<U+0001><U+009B>' holds U+0001, a character that is not seen as it "
	  "is\n" },
	{ "character: a machine that turns the text behind it",
	  ROW("lab\xE2\x80\xAE"
	      "1",
	      "", "RTX 2080 Ti", "1", "cnn", "resnet50", "fp32", "64", "throughput", "290.5",
	      "images/s", "1"),
	  "3,machine,character,lab<U+202E>1,\"'lab<U+202E>1' holds U+202E, a character that is not "
	  "seen "
	  "as it is\",rejected\n",
	  "3:1: machine: 'lab<U+202E>1' holds U+202E, a character that is not seen as it is\n" },
	{ "character: a device with a zero-width blank, once", DEVICE("RTX\xE2\x80\x8B 2080 Ti"),
	  "3,device,character,RTX<U+200B> 2080 Ti,\"'RTX<U+200B> 2080 Ti' holds U+200B, a "
	  "character "
	  "that is not seen as it is\",rejected\n",
	  "3:5: device: 'RTX<U+200B> 2080 Ti' holds U+200B, a character that is not seen as it "
	  "is\n" },
	{ "character: a workload in two lines",
	  ROW("m1", "", "RTX 2080 Ti", "1", "cnn", "\"resnet\n50\"", "fp32", "64", "throughput",
	      "290.5", "images/s", "1"),
	  "3,workload,character,resnet<U+000A>50,\"'resnet<U+000A>50' holds U+000A, a character "
	  "that is "
	  "not seen as it is\",rejected\n",
	  "3:23: workload: 'resnet<U+000A>50' holds U+000A, a character that is not seen as it "
	  "is\n" },
	{ "character: a class with a tag",
	  ROW("m1", "", "RTX 2080 Ti", "1", "cnn\xF3\xA0\x81\x81", "resnet50", "fp32", "64",
	      "throughput", "290.5", "images/s", "1"),
	  "3,class,character,cnn<U+E0041>,\"'cnn<U+E0041>' holds U+E0041, a character that is not "
	  "seen "
	  "as it is\",rejected\n",
	  "3:19: class: 'cnn<U+E0041>' holds U+E0041, a character that is not seen as it is\n" },
	{ "syntax: a cell too few", "m1,2024-05-06,RTX 2080 Ti\n",
	  "3,,syntax,,3 cells where the header has 12,rejected\n",
	  "3:15: 3 cells where the header has 12\n" },
	{ "syntax: a cell too many",
	  "m1,,RTX 2080 Ti,1,cnn,resnet50,fp32,64,throughput,290.5,images/s,1,\n",
	  "3,,syntax,,13 cells where the header has 12,rejected\n",
	  "3:68: 13 cells where the header has 12\n" },
	{ "all faults of a row are told",
	  ROW("m1", "soon", "RTX 2080 Ti", "one", "cnn", "resnet50", "fp32", "64", "throughput",
	      "much", "images/s", "1"),
	  "3,date,date,soon,'soon' is not a day as in 2019-05-28,rejected\n"
	  "lab/x.csv,3,device_count,count,one,'one' is not a whole number from 1 on,rejected\n"
	  "lab/x.csv,3,value,number,much,'much' is not a number,rejected\n",
	  "3:4: date: 'soon' is not a day as in 2019-05-28\n"
	  "lab/x.csv:3:21: device_count: 'one' is not a whole number from 1 on\n"
	  "lab/x.csv:3:57: value: 'much' is not a number\n" },
	{ "text is clipped and put on one line",
	  DEVICE("\"GeForce\n RTX \xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"
		 "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"
		 "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"
		 "\xC3\xA9\xC3\xA9 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\""),
	  NULL, NULL },
};

static void test_row(struct test *t, const struct row_case *c)
{
	struct stage s;
	struct strbuf text = stage_text(&s, HEAD SOUND);

	strbuf_add(&text, str_of(c->row));
	fixture_put(&s.f, "in/lab/x.csv", str_c(&s.f.arena, strbuf_str(&text)));
	test_ok(t, stage_run(&s), c->name);
	test_ok(t,
		s.summary.rows == 2 && s.summary.accepted == 1 && s.summary.rejected == 1
		    && s.summary.cells == 1,
		"the other row counts, the faulty one once");
	if (c->reject)
		test_str(t, stage_rows(&s, "out/data/rejects.csv"),
			 str_printf(&s.f.arena, "lab/x.csv,%s", c->reject), "reject");
	if (!c->reject) {
		struct str rows = stage_rows(&s, "out/data/rejects.csv");
		test_ok(t,
			rows.len < 500 && str_is_utf8(rows)
			    && str_find(rows, STR("...'"), 0) < rows.len,
			"clipped");
	}
	if (c->message)
		test_str(t, stage_messages(&s), str_printf(&s.f.arena, "lab/x.csv:%s", c->message),
			 "message");
	stage_close(&s);
}

/* Files refused whole, with the place; another file goes on. */
static const struct {
	const char *name, *text, *reject, *message;
} files[] = {
	{ "an unclosed quote", HEAD SOUND "m1,\"2024-05-06,RTX 2080 Ti\n",
	  "lab/x.csv,3,4,syntax,,the file is refused: the quote that opens here is never "
	  "closed,rejected\n",
	  "lab/x.csv:3:4: the file is refused: the quote that opens here is never closed\n" },
	{ "a missing column",
	  "machine,device,workload,value,unit\nm1,RTX 2080,resnet50,100,images/s\n",
	  "lab/x.csv,1,1,column,,the file is refused: column 'metric' missing,rejected\n",
	  "lab/x.csv:1:1: the file is refused: column 'metric' missing\n" },
	{ "several missing columns", "\n\nname,device,workload\nm1,RTX 2080,resnet50\n",
	  "lab/x.csv,3,1,column,,\"the file is refused: columns 'machine', 'metric', 'value', "
	  "'unit' missing\",rejected\n",
	  "lab/x.csv:3:1: the file is refused: columns 'machine', 'metric', 'value', 'unit' "
	  "missing\n" },
	{ "a column named twice", "machine,value,device,workload,value,metric,unit\n",
	  "lab/x.csv,1,31,column,,the file is refused: column 'value' stands twice in the "
	  "header,rejected\n",
	  "lab/x.csv:1:31: the file is refused: column 'value' stands twice in the header\n" },
	{ "text that is not UTF-8", "machine\xff,value\n",
	  "lab/x.csv,1,8,syntax,,the file is refused: byte 0xFF is not UTF-8,rejected\n",
	  "lab/x.csv:1:8: the file is refused: byte 0xFF is not UTF-8\n" },
	{ "an empty file", "",
	  "lab/x.csv,1,1,syntax,,the file is refused: no header line: the file is empty,rejected\n",
	  "lab/x.csv:1:1: the file is refused: no header line: the file is empty\n" },
};

static void test_files(struct test *t)
{
	for (size_t i = 0; i < LEN(files); i++) {
		struct stage s;

		stage_open(&s);
		fixture_put(&s.f, "in/lab/x.csv", files[i].text);
		fixture_put(&s.f, "in/lab/y.csv", HEAD SOUND);
		test_ok(t, stage_run(&s), files[i].name);
		test_ok(t,
			s.summary.files == 2 && s.summary.files_refused == 1
			    && s.summary.accepted == 1,
			"the other file counts");
		test_str(t, stage_rows(&s, "out/data/rejects.csv"), str_of(files[i].reject),
			 "reject");
		test_str(t, stage_messages(&s), str_of(files[i].message), "message");
		stage_close(&s);
	}
}

/* Ways to write the same row: all are accepted and give 290.5. */
static const struct {
	const char *name, *text, *messages;
} dialects[] = {
	{ "LF", HEAD SOUND, "" },
	{ "a byte order mark", "\xEF\xBB\xBF" HEAD SOUND, "" },
	{ "columns in another order, required ones only",
	  "unit,value,metric,workload,device,machine\nimages/s,290.5,throughput,resnet50,RTX 2080 "
	  "Ti,m1\n",
	  "" },
	{ "CRLF",
	  "machine,device,workload,metric,value,unit\r\nm1,RTX 2080 "
	  "Ti,resnet50,throughput,290.5,images/s\r\n",
	  "" },
	{ "CR",
	  "machine,device,workload,metric,value,unit\rm1,RTX 2080 "
	  "Ti,resnet50,throughput,290.5,images/s\r",
	  "" },
	{ "semicolons, decimal comma",
	  "machine;device;workload;metric;value;unit\nm1;RTX 2080 "
	  "Ti;resnet50;throughput;290,5;images/s\n",
	  "" },
	{ "semicolons, decimal point",
	  "machine;device;workload;metric;value;unit\nm1;RTX 2080 "
	  "Ti;resnet50;throughput;290.5;images/s\n",
	  "" },
	{ "tabs",
	  "machine\tdevice\tworkload\tmetric\tvalue\tunit\nm1\tRTX 2080 "
	  "Ti\tresnet50\tthroughput\t290.5\timages/s\n",
	  "" },
	{ "quotes with newlines, blanks around",
	  "machine,device,workload,metric,value,unit,framework\n"
	  "\"m1\", RTX 2080 Ti ,resnet50,throughput, 290.5 ,images/s,\"a\nb \"\"c\"\"\"\n",
	  "" },
	{ "an unknown column, a device by its alias",
	  "machine,device,workload,metric,value,unit,colour,\"x\ny\"\nm1,gtx-2080TI,resnet50,"
	  "throughput,2.905e2,images/s,red,\n",
	  "lab/x.csv:1:0: unknown columns ignored: 'colour', 'x y'\n" },
};

static void test_dialects(struct test *t)
{
	for (size_t i = 0; i < LEN(dialects); i++) {
		struct stage s;

		stage_open(&s);
		fixture_put(&s.f, "in/lab/x.csv", dialects[i].text);
		test_ok(t, stage_run(&s) && s.summary.accepted == 1, dialects[i].name);
		struct str got = stage_rows(&s, "out/data/observations.csv");
		test_ok(t, str_find(got, STR(",1,lab,290.5,images/s,higher,1,1,,"), 0) < got.len,
			"its value");
		test_str(t, stage_messages(&s), str_of(dialects[i].messages), "messages");
		stage_close(&s);
	}
}

/* Both marks in one file: the point is then a thousands mark, and no guess is made. */
static void test_two_marks(struct test *t)
{
	struct stage s;

	stage_open(&s);
	fixture_put(&s.f, "in/lab/x.csv",
		    "machine;device;workload;metric;value;unit\nm1;RTX 2080 "
		    "Ti;resnet50;throughput;290,5;images/s\n"
		    "m2;RTX 2080 Ti;resnet50;throughput;1.234;images/s\n");
	test_ok(t, stage_run(&s) && s.summary.accepted == 1, "a point beside decimal commas");
	test_str(t, stage_messages(&s),
		 STR("lab/x.csv:3:36: value: '1.234' is not a number (this file writes decimals "
		     "with a comma)\n"),
		 "its message");
	stage_close(&s);
}

static void test_did_not_fit(struct test *t)
{
	struct stage s;

	stage_open(&s);
	fixture_put(&s.f, "in/lab/x.csv",
		    HEAD SOUND ROW("m2", "", "RTX 2060", "1", "cnn", "resnet50", "fp32", "0",
				   "throughput", "0.0", "images/s", "1"));
	test_ok(t, stage_run(&s) && s.summary.set_aside == 1 && s.summary.rejected == 0,
		"value 0 with batch 0");
	test_str(t, stage_rows(&s, "out/data/rejects.csv"),
		 STR("lab/x.csv,3,value,did-not-fit,0.0,\"value 0 with batch_size 0: the run did "
		     "not fit, a fact about "
		     "memory and no speed\",set-aside\n"),
		 "its reject");
	stage_close(&s);
}

int main(void)
{
	struct test t = { 0 };

	for (size_t i = 0; i < LEN(cases); i++)
		test_row(&t, &cases[i]);
	test_files(&t);
	test_dialects(&t);
	test_two_marks(&t);
	test_did_not_fit(&t);
	return test_done(&t);
}
