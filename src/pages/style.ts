// Served as a file: the Content-Security-Policy of the pages forbids inline styles.

export const STYLE_PATH = '/assets/pages.css'

export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f5f6f8; --card: #ffffff; --line: #dfe3e8; --text: #17202b; --soft: #5a6675;
  --accent: #1f5fd6; --accent-text: #ffffff; --accent-soft: #e8f0fe; --danger: #b3261e; --danger-soft: #fdecea;
  --good: #1b6e3c; --good-soft: #e6f4ea; --warn: #7a4d00; --warn-soft: #fff3d6; --code: #f0f2f5;
  --radius: 10px; --gap: 1rem;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #11161d; --card: #1a212b; --line: #2e3947; --text: #e8edf3; --soft: #9fadbd;
    --accent: #7aa7ff; --accent-text: #0c1829; --accent-soft: #1d2c47; --danger: #ff9d94; --danger-soft: #3a1e1d;
    --good: #81d4a0; --good-soft: #17301f; --warn: #f2c46d; --warn-soft: #352a14; --code: #232c38;
  }
}
*, *::before, *::after { box-sizing: border-box; }
body {
  margin: 0; background: var(--ground); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: .5rem 1rem; z-index: 1; }
h1, h2, h3, p { margin: 0; }
h1 { font-size: 1.6rem; line-height: 1.25; letter-spacing: -.01em; }
h2 { font-size: 1.15rem; line-height: 1.3; }
h3 { font-size: 1rem; }
.soft { color: var(--soft); }
.small { font-size: .875rem; }

.top { background: var(--card); border-bottom: 1px solid var(--line); }
.top > div {
  max-width: 54rem; margin: 0 auto; padding: .7rem 1.25rem; display: flex; align-items: center;
  gap: var(--gap); justify-content: space-between; flex-wrap: wrap;
}
.brand { display: inline-flex; align-items: center; gap: .55rem; font-weight: 650; color: var(--text); text-decoration: none; }
.brand svg { width: 1.5rem; height: 1.5rem; color: var(--accent); }
.who { display: flex; align-items: center; gap: .85rem; }

main { max-width: 54rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; display: grid; gap: 1.5rem; }
main.narrow { max-width: 26rem; min-height: 90vh; align-content: center; }
section.card { scroll-margin-top: 1rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: var(--radius); padding: 1.5rem; display: grid; gap: 1.1rem; }
.card header { display: grid; gap: .25rem; }
h2 { scroll-margin-top: 2.5rem; }
.row { display: flex; gap: var(--gap); align-items: center; justify-content: space-between; flex-wrap: wrap; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: var(--gap); align-items: start; }
.actions { display: flex; gap: .6rem; flex-wrap: wrap; }

form { display: grid; gap: 1rem; }
form.inline { display: inline; }
label, legend { font-weight: 550; font-size: .925rem; }
.field { display: grid; gap: .35rem; }
input[type=text], input[type=email], input[type=password] {
  width: 100%; padding: .6rem .75rem; border: 1px solid var(--line); border-radius: 7px;
  font: inherit; color: inherit; background: var(--ground);
}
input:user-invalid { border-color: var(--danger); }
input.code { font-size: 1.35rem; letter-spacing: .25em; text-align: center; font-variant-numeric: tabular-nums; }
button, .button {
  justify-self: start; display: inline-block; padding: .55rem 1.05rem; border-radius: 7px; cursor: pointer; text-decoration: none;
  font: inherit; font-weight: 600; border: 1px solid var(--accent); background: var(--accent); color: var(--accent-text);
}
button:hover { filter: brightness(1.08); }
button.quiet { background: transparent; color: var(--text); border-color: var(--line); font-weight: 500; padding: .4rem .85rem; }
button.danger { background: transparent; color: var(--danger); border-color: var(--line); font-weight: 500; padding: .4rem .85rem; }
button.danger:hover { background: var(--danger-soft); filter: none; }
button.wide { width: 100%; justify-self: stretch; }

fieldset { border: 1px solid var(--line); border-radius: 7px; padding: .75rem 1rem 1rem; margin: 0; min-width: 0; }
fieldset .choices { display: grid; gap: .5rem 1.25rem; grid-template-columns: repeat(auto-fill, minmax(18rem, 1fr)); }
.choice { display: flex; gap: .6rem; align-items: baseline; font-weight: 400; }
.choice code { display: block; width: fit-content; margin-top: .1rem; white-space: nowrap; }
summary { cursor: pointer; font-weight: 550; color: var(--accent); }
details[open] > summary { margin-bottom: var(--gap); }

ul.list { list-style: none; margin: 0; padding: 0; display: grid; }
ul.list > li {
  display: flex; gap: .5rem var(--gap); align-items: center; justify-content: space-between; flex-wrap: wrap;
  padding: .85rem 0; border-top: 1px solid var(--line);
}
ul.list > li:first-child { border-top: 0; padding-top: 0; }
ul.list > li:last-child { padding-bottom: 0; }
.what { display: grid; gap: .1rem; min-width: 0; flex: 1 1 16rem; }
.name { font-weight: 550; overflow-wrap: anywhere; display: flex; flex-wrap: wrap; gap: .15rem .55rem; align-items: center; }
.badge { font-size: .78rem; font-weight: 600; padding: .1rem .55rem; border-radius: 99px; background: var(--good-soft); color: var(--good); white-space: nowrap; }
.badge.off { background: var(--code); color: var(--soft); }

code { font: .9em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--code); padding: .12em .35em; border-radius: 4px; }
pre { margin: 0; padding: .75rem .9rem; overflow-x: auto; background: var(--code); border-radius: 7px; }
pre code { padding: 0; background: none; }
.secret { display: block; padding: .75rem .9rem; font-size: 1rem; overflow-wrap: anywhere; user-select: all; }
.codes { display: grid; grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr)); gap: .5rem; list-style: none; padding: 0; margin: 0; }
.codes code { display: block; text-align: center; padding: .4rem; }
.notice { padding: .8rem 1rem; border-radius: 7px; background: var(--accent-soft); display: grid; gap: .5rem; }
.notice.good { background: var(--good-soft); color: var(--good); }
.notice.bad { background: var(--danger-soft); color: var(--danger); }
.notice.warn { background: var(--warn-soft); color: var(--warn); }
.notice.good code, .notice.warn code { background: var(--card); color: var(--text); }
.setup { display: grid; grid-template-columns: auto 1fr; gap: 1.5rem; align-items: start; }
.setup img { width: 11rem; height: 11rem; background: #fff; border-radius: 7px; padding: .5rem; border: 1px solid var(--line); }
.setup > div { display: grid; gap: var(--gap); }
@media (max-width: 36rem) { .setup { grid-template-columns: 1fr; } .card { padding: 1.15rem; } }
`
