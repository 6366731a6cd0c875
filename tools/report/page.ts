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
h1 { font-size: 22px; margin: 8px 0 } h2 { font-size: 17px; margin: 32px 0 8px } p { margin: 8px 0 } .dim { color: var(--dim) }
table { border-collapse: collapse; width: 100% } td, th { text-align: left; vertical-align: top; padding: 6px 8px; border-bottom: 1px solid var(--line) }
td:nth-child(3) { min-width: 14em }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap } th { font-weight: 600; white-space: nowrap }
td:first-child, td span { overflow-wrap: normal; min-width: 6em } td span.bad, td span.good, td.bad { white-space: nowrap }
.bad { color: var(--bad); font-weight: 600 } .good { color: var(--good) }
.bar { fill: var(--bar) } .bar.bad { fill: var(--bad) } .bar.good { fill: var(--good) } svg { display: block; width: 100%; min-width: 520px; height: auto } svg text { fill: var(--text); font-size: 13px }
pre { background: color-mix(in srgb, var(--text) 6%, transparent); padding: 8px; white-space: pre-wrap } .wide { overflow-x: auto }
`;

/** The report as one page without a script: it opens from a disk, and loads nothing. */
export function pageOf(report: Report): string {
  const { machines, time, records, figures, newKeys, unheard } = report;
  const bad = machines.filter(({ state }) => !good.includes(state)).length;
  const counts = states.map((state) => [state, machines.filter((machine) => machine.state === state).length] as const);
  const present = counts.filter(([, count]) => count > 0);
  const headline = bad === 0 ? 'All machines are intact' : `${bad} of ${machines.length} machines need attention`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Audit logs: ${html(headline)}</title><style>${style}</style></head><body>
<h1>${html(headline)}</h1>
<p class="dim">${html(time)}: ${machines.length} machines, ${records} records of machines that are intact and enrolled. Only these are in the
charts of requests and tokens.</p>
<h2>Machines by state</h2>
${bars(present, (state) => (good.includes(state as State) ? 'good' : 'bad'))}
<div class="wide"><table><tr><th>State</th><th>What it means</th></tr>
${present.map(([state]) => `<tr><td>${stateCell(state)}</td><td>${html(stateWords[state])}</td></tr>`).join('\n')}</table></div>
${section('Requests by day', columns(figures.days))}
${section('Tokens by day', columns(figures.tokens))}
${section('Requests by model', bars(largest(figures.models)))}
${section('Requests by outcome', bars(largest(figures.outcomes)))}
${section('Confirmation of the service', bars(largest(figures.confirmations)))}
<h2>All machines</h2>
<div class="wide"><table><tr><th>Machine</th><th>State</th><th>Ledgers</th><th>Records</th><th>Last line</th></tr>
${machines.map(row).join('\n')}</table></div>
${machines
  .filter(({ verdict }) => verdict.breaks.length > 0)
  .map(breaksOf)
  .join('\n')}
${list('Enrolled logs of which nothing has arrived', unheard)}
${list('Keys to approve: add these lines to the policy if they belong to your machines', newKeys)}
</body></html>
`;
}

function section(title: string, chart: string): string {
  return chart === '' ? '' : `<h2>${html(title)}</h2>\n${chart}`;
}

function stateCell(state: State): string {
  return `<span class="${good.includes(state) ? 'good' : 'bad'}">${html(state)}</span>`;
}

function row({ names, state, verdict }: Machine): string {
  const ledgers = verdict.ledgers.map(
    ({ origin, size }) => `${html(origin)}<br><span class="dim">${size} lines signed</span>`,
  );
  const last =
    verdict.ledgers
      .map(({ lastTime }) => lastTime ?? '')
      .sort()
      .at(-1) ?? '';
  return `<tr><td>${names.map(html).join('<br>')}</td><td>${stateCell(state)}</td><td>${ledgers.join('<br>')}</td><td class="number">${verdict.records}</td><td>${html(last)}</td></tr>`;
}

function breaksOf({ names, verdict }: Machine): string {
  const rows = verdict.breaks.slice(0, 20).map(({ reason, file, line, of, other }) => {
    const beside = other === undefined ? '' : `<br><span class="dim">see ${html(other.file)}:${other.line}</span>`;
    return `<tr><td class="bad">${html(reason)}</td><td>${html(file)}:${line}${beside}</td><td>${html(of)}</td></tr>`;
  });
  const more =
    verdict.breaks.length > 20 ? `<p class="dim">and ${verdict.breaks.length - 20} more: see report.json</p>` : '';
  return `<h2>Breaks of ${html(names.join(', '))}</h2>\n<div class="wide"><table><tr><th>Break</th><th>Place</th><th>Of</th></tr>${rows.join('')}</table></div>${more}`;
}

function list(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `<h2>${html(title)}</h2>\n<pre>${lines.map(html).join('\n')}</pre>`;
}

/** The largest, and the sum of the others. */
function largest(counts: Counts): readonly (readonly [string, number])[] {
  const sorted = Object.entries(counts).sort(([, a], [, b]) => b - a);
  const rest = sorted.slice(9).reduce((sum, [, count]) => sum + count, 0);
  return [...sorted.slice(0, 9), ...(rest > 0 ? [['other', rest] as const] : [])];
}

/** Horizontal bars with their names and numbers as text. */
function bars(rows: readonly (readonly [string, number])[], kind: (name: string) => string = () => ''): string {
  if (rows.length === 0) return '';
  const most = Math.max(...rows.map(([, count]) => count));
  const marks = rows.map(([name, count], index) => {
    const width = (count / most) * 320;
    const y = index * 26;
    return `<text x="0" y="${y + 17}">${html(short(name))}</text><rect class="bar ${kind(name)}" x="190" y="${y + 4}" width="${width.toFixed(1)}" height="18" rx="2"></rect><text x="${(198 + width).toFixed(1)}" y="${y + 17}">${count.toLocaleString('en')}</text>`;
  });
  const title = rows.map(([name, count]) => `${name}: ${count}`).join(', ');
  return `<div class="wide"><svg viewBox="0 0 600 ${rows.length * 26}" role="img" aria-label="${html(title)}">${marks.join('')}</svg></div>`;
}

/** The last 60 days as columns, days without a request included. */
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
    return `<rect class="bar" x="${(index * width + 1).toFixed(1)}" y="${(140 - height).toFixed(1)}" width="${Math.max(1, Math.min(40, width - 2)).toFixed(1)}" height="${height.toFixed(1)}"><title>${day}: ${counts[day] ?? 0}</title></rect>`;
  });
  const label = `${days[0]} to ${last}, at most ${most.toLocaleString('en')} a day`;
  return `<div class="wide"><svg viewBox="0 0 600 165" role="img" aria-label="${label}"><text x="0" y="12">${most.toLocaleString('en')}</text>${marks.join('')}<text x="0" y="158">${days[0]}</text><text x="600" y="158" text-anchor="end">${last}</text></svg></div>`;
}

function short(name: string): string {
  return name.length > 26 ? `${name.slice(0, 25)}\u2026` : name;
}
