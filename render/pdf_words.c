#include "pdf_words.h"

static const struct pdf_words words[] = {
	{ STR_INIT("en"), STR_INIT("Contents"), STR_INIT("Edition id "),
	  STR_INIT("Data files attached to this PDF: "), STR_INIT("Page "), STR_INIT(" of "),
	  STR_INIT(""), STR_INIT(", ") },
	{ STR_INIT("zh-Hans"), STR_INIT("目录"), STR_INIT("版本号 "),
	  STR_INIT("本 PDF 附带的数据文件："), STR_INIT("第 "), STR_INIT(" 页，共 "),
	  STR_INIT(" 页"), STR_INIT("、") },
	{ STR_INIT("zh-Hant"), STR_INIT("目錄"), STR_INIT("版本號 "),
	  STR_INIT("本 PDF 附帶的資料檔："), STR_INIT("第 "), STR_INIT(" 頁，共 "), STR_INIT(" 頁"),
	  STR_INIT("、") },
};

const struct pdf_words *pdf_words_for(struct str language)
{
	for (size_t i = 0; i < LEN(words); i++)
		if (str_eq(words[i].language, language))
			return &words[i];
	return &words[0];
}
