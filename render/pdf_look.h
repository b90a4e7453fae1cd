/* Sizes (pt) and colours of the PDF, in one place. */
#ifndef RENDER_PDF_LOOK_H
#define RENDER_PDF_LOOK_H

#include "drawing.h"

#define PDF_BODY_SIZE 9.5
#define PDF_BODY_LEADING 13.4
#define PDF_CODE_SCALE 0.92    /* mono in running text, to the eye as large as the sans around it */
#define PDF_SMALL_LEADING 11.2 /* captions and file names */
#define PDF_CAPTION_SIZE 8.6
#define PDF_FILE_SIZE 7.5

static const struct colour pdf_ink = { 0x1A, 0x1A, 0x1A };
static const struct colour pdf_label = { 0x3A, 0x3F, 0x47 };
static const struct colour pdf_muted = { 0x5F, 0x66, 0x70 };
static const struct colour pdf_hairline = { 0xDD, 0xE1, 0xE6 };
static const struct colour pdf_rule = { 0x7A, 0x82, 0x8C };
static const struct colour pdf_band = { 0xF6, 0xF7, 0xF9 };
static const struct colour pdf_accent = { 0x00, 0x72, 0xB2 };
static const struct colour pdf_link_ink = { 0x0A, 0x58, 0x96 };
static const struct colour pdf_warn_ink = { 0x8A, 0x45, 0x00 };
static const struct colour pdf_info_fill = { 0xED, 0xF5, 0xFA };
static const struct colour pdf_warn_fill = { 0xFD, 0xF4, 0xE0 };
static const struct colour pdf_warn_bar = { 0xC9, 0x85, 0x00 };

#endif
