import type { Counts } from './figures.ts';
import type { Machine, Report } from './machines.ts';
import { type State, states, stateWords } from './states.ts';

/** Names come from logs: they are text, never markup. */
function html(text: string): string {
  const marks: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (mark) => marks[mark] ?? '').replace(/[\p{Cc}\p{Cf}]/gu, '\ufffd');
}

const good: readonly State[] = ['intact', 'late'];
const style = `
:root { color-scheme: light dark; --text: #1f2328; --dim: #59636e; --line: #d1d9e0; --back: #fff; --bar: #0969da; --bad: #b35900; --good: #1a7f37 }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --dim: #9198a1; --line: #3d444d; --back: #0d1117; --bar: #4493f8; --bad: #f0883e; --good: #3fb950 } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); max-width: 1000px; margin: 0 auto; padding: 16px; overflow-wrap: anywhere }
h1 { font-size: 22px; margin: 8px 0 } h2 { font-size: 17px; margin: 32px 0 8px } h3 { font-size: 15px; margin: 20px 0 4px } p { margin: 8px 0 } .dim { color: var(--dim) }
table { border-collapse: collapse; width: 100% } td, th { text-align: left; vertical-align: top; padding: 6px 8px; border-bottom: 1px solid var(--line) }
th { font-weight: 600; white-space: nowrap } .word { white-space: nowrap } td:first-child { min-width: 9em } .origin { font-size: 13px }
summary { cursor: pointer; margin: 8px 0 } .bad { color: var(--bad); font-weight: 600 } .good { color: var(--good) }
.bars { display: grid; grid-template-columns: fit-content(45%) 1fr; gap: 6px 12px; align-items: center; max-width: 640px; margin-bottom: 12px } .bars div { display: flex; align-items: center; gap: 8px }
.bar { flex: none; min-width: 2px; height: 16px; border-radius: 2px; background: var(--bar); fill: var(--bar) } .bar.bad { background: var(--bad) } .bar.good { background: var(--good) }
.days { max-width: 640px } .days svg { display: block; width: 100%; height: 120px; border-bottom: 1px solid var(--line) } .days p { display: flex; justify-content: space-between; margin: 2px 0 }
pre { background: color-mix(in srgb, var(--text) 6%, transparent); padding: 8px; white-space: pre-wrap }
@media (max-width: 700px) { th { display: none } tr { display: block; padding: 6px 0; border-bottom: 1px solid var(--line) } td { display: block; padding: 0; border: 0 } }
@media (forced-colors: active) { .bar { forced-color-adjust: none } }
`;

/** The report as one HTML page without scripts, which can be opened from a disk and loads nothing. */
export function pageOf(report: Report): string {
  const { machines, time, records, figures, newKeys, unheard } = report;
  const bad = states
    .filter((state) => !good.includes(state))
    .flatMap((state) => machines.filter((machine) => machine.state === state));
  const well = machines.filter(({ state }) => good.includes(state));
  const counts = states.map((state) => [state, machines.filter((machine) => machine.state === state).length] as const);
  const present = counts.filter(([, count]) => count > 0);
  const headline = headlineOf(report, bad.length);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Audit logs: ${html(headline)}</title><style>${style}</style></head><body>
<h1>${html(headline)}</h1>
<p class="dim">${minuteOf(time)}: ${countOf(machines.length, 'machine')}, ${countOf(records, 'record')} of machines that are intact and enrolled.
Only these are in the charts of requests and tokens.</p>
<h2>Machines by state</h2>
${bars(present, (state) => (good.includes(state as State) ? 'good' : 'bad'))}
<table><tr><th>State</th><th>What it means</th></tr>
${present.map(([state]) => `<tr><td>${stateCell(state)}</td><td>${html(stateWords[state])}</td></tr>`).join('\n')}</table>
${bad.length > 0 ? `<h2>Machines that need attention</h2>\n${tableOf(bad)}` : ''}
${list('Enrolled logs of which nothing has arrived', unheard)}
${list('Keys to approve: add these lines to the trusted keys if they belong to your machines', newKeys)}
${section('Requests by day', columns(figures.days))}
${section('Tokens by day', columns(figures.tokens))}
${section('Requests by model', bars(largest(figures.models)))}
${section('Requests by user', bars(largest(figures.users)))}
${section('Requests by compliance header', bars(largest(figures.headers)))}
${section('Requests by outcome', bars(largest(figures.outcomes)))}
${section('Refused requests by reason', bars(largest(figures.refusals)))}
${section('Confirmation of the service', bars(largest(figures.confirmations)))}
${section('Breaks', bad.map(breaksOf).join('\n'))}
${well.length > 0 ? `<h2>Other machines</h2>\n<details${bad.length === 0 ? ' open' : ''}><summary>${countOf(well.length, 'machine')}</summary>${tableOf(well)}</details>` : ''}
</body></html>
`;
}

function headlineOf({ machines, unheard }: Report, bad: number): string {
  if (bad > 0)
    return `${number(bad)} of ${countOf(machines.length, 'machine')} ${bad === 1 ? 'needs' : 'need'} attention`;
  if (unheard.length === 0) return 'All machines are intact';
  return `All machines are intact, but nothing has arrived from ${countOf(unheard.length, 'enrolled log')}`;
}

function section(title: string, chart: string): string {
  return chart === '' ? '' : `<h2>${html(title)}</h2>\n${chart}`;
}

function stateCell(state: State): string {
  return `<span class="word ${good.includes(state) ? 'good' : 'bad'}">${html(state)}</span>`;
}

function tableOf(machines: readonly Machine[]): string {
  const head = '<tr><th>Machine</th><th>State</th><th>Ledgers</th><th>Last line</th></tr>';
  return `<table>${head}\n${machines.map(row).join('\n')}</table>`;
}

function row({ names, state, verdict, fault }: Machine): string {
  const ledgers = verdict.ledgers.map(
    ({ origin, size }) => `${originOf(origin)}<br><span class="dim">${countOf(size, 'line')} signed</span>`,
  );
  const records = `<span class="dim">${countOf(verdict.records, 'record')}</span>`;
  const last =
    verdict.ledgers
      .map(({ lastTime }) => lastTime ?? '')
      .sort()
      .at(-1) ?? '';
  return `<tr><td>${names.map(html).join('<br>')}<br>${records}</td><td>${stateCell(state)}</td><td>${fault === null ? ledgers.join('<br>') : html(fault)}</td><td class="word">${minuteOf(last)}</td></tr>`;
}

/** The name of a ledger as HTML, which can wrap only before its hash. */
function originOf(origin: string): string {
  const parts = origin
    .split(/(?<=\/)/)
    .map((part) => `<span${part.length > 32 ? '' : ' class="word"'}>${html(part)}</span>`);
  return `<span class="origin">${parts.join('<wbr>')}</span>`;
}

/** The time without seconds; report.json has the exact time. */
function minuteOf(time: string): string {
  return time === '' ? '' : `${html(time.slice(0, 16).replace('T', ' '))} UTC`;
}

function number(count: number): string {
  return count.toLocaleString('en');
}

function countOf(count: number, noun: string): string {
  return `${number(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function breaksOf({ names, verdict }: Machine): string {
  if (verdict.breaks.length === 0) return '';
  const rows = verdict.breaks.slice(0, 20).map(({ reason, file, line, of, other }) => {
    const beside = other === undefined ? '' : `<br><span class="dim">see ${html(other.file)}:${other.line}</span>`;
    return `<tr><td class="bad">${html(reason)}</td><td>${html(file)}:<span class="word">${line}</span>${beside}</td><td>${html(of)}</td></tr>`;
  });
  const more =
    verdict.breaks.length > 20 ? `<p class="dim">and ${verdict.breaks.length - 20} more: see report.json</p>` : '';
  return `<h3>${html(names.join(', '))}</h3>\n<table><tr><th>Break</th><th>Place</th><th>Of</th></tr>${rows.join('')}</table>${more}`;
}

function list(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `<h2>${html(title)}</h2>\n<pre>${lines.map(html).join('\n')}</pre>`;
}

/** The nine names with the largest numbers, and the sum of the other numbers. */
function largest(counts: Counts): readonly (readonly [string, number])[] {
  const sorted = Object.entries(counts).sort(([, a], [, b]) => b - a);
  const rest = sorted.slice(9).reduce((sum, [, count]) => sum + count, 0);
  return [...sorted.slice(0, 9), ...(rest > 0 ? [['other', rest] as const] : [])];
}

/** Horizontal bars with their names and numbers as text. */
function bars(rows: readonly (readonly [string, number])[], kind: (name: string) => string = () => ''): string {
  const most = Math.max(...rows.map(([, count]) => count));
  const marks = rows.map(([name, count]) => {
    const width = ((count / most) * 70).toFixed(1);
    return `<span>${html(name)}</span><div><span class="bar ${kind(name)}" style="width: ${width}%"></span>${number(count)}</div>`;
  });
  return rows.length === 0 ? '' : `<div class="bars">${marks.join('\n')}</div>`;
}

/** The last 60 days as columns, including days without a request. */
function columns(counts: Counts): string {
  const known = Object.keys(counts)
    .filter((day) => /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)))
    .sort();
  const last = known.at(-1);
  if (last === undefined) return '';
  const first = Math.max(Date.parse(known[0] ?? last), Date.parse(last) - 59 * 86_400_000);
  const days: string[] = [];
  for (let at = first; at <= Date.parse(last); at += 86_400_000) days.push(new Date(at).toISOString().slice(0, 10));
  const most = Math.max(...days.map((day) => counts[day] ?? 0), 1);
  const width = 600 / days.length;
  const marks = days.map((day, index) => {
    const height = ((counts[day] ?? 0) / most) * 120;
    return `<rect class="bar" x="${(index * width + 1).toFixed(1)}" y="${(120 - height).toFixed(1)}" width="${Math.max(1, width - 2).toFixed(1)}" height="${height.toFixed(1)}"><title>${day}: ${number(counts[day] ?? 0)}</title></rect>`;
  });
  const label = `${days[0]} to ${last}, at most ${number(most)} a day`;
  return `<div class="days"><p>${number(most)}</p><svg viewBox="0 0 600 120" preserveAspectRatio="none" role="img" aria-label="${label}">${marks.join('')}</svg><p><span>${days[0]}</span><span>${last}</span></p></div>`;
}
