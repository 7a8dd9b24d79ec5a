// SPDX-License-Identifier: GPL-3.0-or-later
// The page that charts and boards stand on.
#include "tuner/report/chart.h"

// Colours of light, dark and print; every picture takes them from here. Blue and orange keep apart
// for all kinds of colour vision, and shapes differ as well.
static const char style[] =
    ":root{--page:#fdfcf9;--ink:#26211c;--soft:#655b50;--line:#ddd5c8;--axis:#857a6c;"
    "--one:#1f5f9e;--two:#b9521a;--three:#4f7a2c;--count:#d9d3c7;--card:#f5f1e8;color-scheme:light "
    "dark}\n"
    "@media (prefers-color-scheme:dark){:root{--page:#191714;--ink:#ece6dc;--soft:#b3a899;"
    "--line:#3b362f;--axis:#8e8475;--one:#7db4e8;--two:#f0965a;--three:#a5cf7c;--count:#3a352e;"
    "--card:#23201b}}\n"
    "@media print{:root{--page:#fff;--ink:#000;--soft:#333;--line:#ccc;--axis:#555;--one:#1f5f9e;"
    "--two:#b9521a;--three:#4f7a2c;--count:#ddd;--card:#fff}figure{break-inside:avoid}"
    "h2,h3,h4{break-after:avoid}details:not([open]){display:none}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 'Helvetica Neue',"
    "Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif;overflow-wrap:anywhere}\n"
    "main{max-width:1180px;margin:0 auto;padding:20px 16px 60px}\n"
    "h1{font-size:1.7rem;line-height:1.25;margin:.4em 0}h2{font-size:1.3rem;margin:2em 0 .2em;"
    "border-bottom:1px solid var(--line)}h3{font-size:1.05rem;margin:0 0 "
    ".4em}h4{font-size:.95rem;margin:.2em 0;text-align:center;color:var(--soft)}\n"
    "p{max-width:46em}.lead{color:var(--soft)}\n"
    ".pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,460px),1fr));"
    "gap:24px;align-items:start}\n"
    "figure{margin:16px 0;padding:14px;background:var(--card);border:1px solid "
    "var(--line);border-radius:8px;min-width:0}.pictures "
    "figure{margin:0}.pictures>p{grid-column:1/-1}\n"
    "figcaption{font-size:.9rem;color:var(--soft);margin-top:.5em}\n"
    "svg{display:block;width:100%;height:auto}.chart{max-width:640px;margin:0 auto}\n"
    ".boards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,400px),1fr));"
    "gap:12px}.board{max-width:560px;margin:0 auto}\n"
    ".cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;"
    "margin:16px 0;padding:0}.cards div{background:var(--card);border:1px solid "
    "var(--line);border-radius:8px;padding:10px 12px}.cards dt{font-size:.82rem;color:var(--soft)}"
    ".cards dd{margin:0;font-size:1.15rem;font-weight:600}.cards small{font-weight:400;"
    "color:var(--soft)}\n"
    "nav a{display:inline-block;margin:2px 12px 2px 0}a{color:var(--one)}\n"
    "details{margin-top:.5em;font-size:.88rem}summary{cursor:pointer;color:var(--one)}"
    ".scroll{overflow-x:auto}table{border-collapse:collapse;margin:.4em 0;overflow-wrap:normal;"
    "font-variant-numeric:tabular-nums}th,td{padding:2px 8px;border-bottom:1px solid "
    "var(--line);text-align:right;white-space:nowrap}th:first-child,td:first-child{text-align:left}"
    ".facts{overflow-wrap:anywhere}.facts th{min-width:8em}.facts td,.facts "
    "th{text-align:left;white-space:normal;vertical-align:top}\n"
    ".chart text{fill:var(--ink);font-size:12.5px}.chart .tick{fill:var(--soft)}.chart "
    ".label{font-size:13px}.chart .power{font-size:9px}\n"
    ".grid{stroke:var(--line);stroke-width:1}.axis{fill:none;stroke:var(--axis);stroke-width:1}"
    ".ideal{stroke:var(--axis);stroke-width:1.5;stroke-dasharray:5 4}.count{fill:var(--count)}\n"
    ".line{fill:none;stroke-width:2}.bar{stroke-width:2}.series-1{stroke:var(--one)}.series-2{"
    "stroke:var(--two)}.series-3{stroke:var(--three)}.dot-1{fill:var(--one)}.dot-2{fill:var(--two)}"
    ".dot-3{fill:var(--three)}\n"
    ".board text{text-anchor:middle;fill:#2e2620}.board .label{font-size:15px;fill:var(--soft)}"
    ".board .value{font-size:16.5px;font-weight:600}.board .error{font-size:12.5px}"
    ".board .light{fill:#fff}.board .river{font-family:Georgia,'Liberation Serif','DejaVu "
    "Serif',serif;font-size:12px;font-style:italic;letter-spacing:14px;fill:#6f8a99}\n"
    ".board .wood{fill:#fbf5e8;stroke:#e0d2b8}.board .water{fill:#e7eef0}.board "
    ".grid{fill:none;stroke:#b09c80}.board .edge{fill:none;stroke:#7d6a52;stroke-width:2}"
    ".board .disc{stroke:#fffdf8;stroke-width:1.5}.board .unsure text{fill:#6d6154}.board "
    ".unsure .disc{stroke:#8d8172;stroke-dasharray:4 3}\n";

// What differs on a phone and on paper; behind the rest, so that it wins.
static const char narrow_style[] =
    "@media (max-width:600px){main{padding:12px 8px 40px}figure{padding:10px 7px}.chart "
    "text{font-size:14.5px}.chart .tick{font-size:13.5px}.board .label{font-size:19px}.board "
    ".value{font-size:18px}.board .error{font-size:14px}}\n"
    "@media print{main{padding:0}.pictures,.boards{grid-template-columns:1fr 1fr}.pictures>figure:"
    "only-child{grid-column:1/"
    "-1}figure{padding:8px}h2{margin-top:1em}nav{display:none}.board{max-width:320px}}\n";

void chart_page_begin(Text *html, const char *title) {
    text_add(html, "<!DOCTYPE html>\n<html lang='en' xmlns='http://www.w3.org/1999/xhtml'>"
                   "<head><meta charset='utf-8'/>\n<meta name='viewport' "
                   "content='width=device-width, initial-scale=1'/>\n<title>");
    svg_add_escaped(html, title);
    text_add(html, "</title>\n<style>\n%s%s</style></head>\n<body><main>\n<h1>", style,
             narrow_style);
    svg_add_escaped(html, title);
    text_add(html, "</h1>\n");
}

void chart_page_end(Text *html) {
    text_add(html, "</main></body></html>\n");
}
