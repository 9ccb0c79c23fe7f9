// @ts-check
/** Charts over time: lines on a canvas, the same numbers as a table, and a sentence that sums them up. */
import uPlot from '../vendor/uplot.js';
import { html, useEffect, useRef, useState } from './html.js';
import { useLive } from './api.js';
import { currentLanguage, number, t } from './i18n.js';
import { setParams } from './router.js';
import { Part } from './parts.js';
import { duration, now } from './time.js';
import { useSettings } from './settings.js';

const RANGES = [60, 360, 1440, 10080, 43200];
const HEIGHT = 170;
const EVERY_SECONDS = 30;
const HOLD = 12;

const rate = (value) => (value === null ? '–' : number(Math.round(value * 10) / 10));
const whole = (value) => (value === null ? '–' : number(value));
const millis = (value) => (value === null ? '–' : value < 1000 ? t('unit.ms', { value: number(value) }) : duration(value / 1000));
const seconds = (value) => (value === null ? '–' : duration(value));

/** The charts. A series is a line with one of the colours of the style sheet, c1 to c4. */
const CHARTS = [
  { name: 'rates', format: rate, perMinute: true, lines: [['enqueued', 'c1'], ['done', 'c2'], ['retried', 'c3'], ['dead', 'c4']] },
  { name: 'runs', format: millis, lines: [['runP50', 'c1'], ['runP95', 'c3'], ['runP99', 'c4']] },
  { name: 'backlog', format: whole, lines: [['ready', 'c1'], ['scheduled', 'c2'], ['waiting', 'c3'], ['deadLetters', 'c4']] },
  { name: 'age', format: seconds, lines: [['oldest', 'c4'], ['lag', 'c1']] },
];
const SERIES = ['enqueued', 'done', 'retried', 'dead', 'runP50', 'runP95', 'runP99', 'lagP95', 'ready', 'scheduled', 'waiting', 'deadLetters', 'oldest'];

/** The four charts of a queue, or of all. The range is in the address: minutes until now, or a start and an end. */
export function Charts({ queue = undefined, params }) {
  const fixed = params.since && params.until;
  const range = Number(params.range) || 360;
  const live = useLive('history', {
    queue, series: SERIES.join(','), ...(fixed ? { since: params.since, until: params.until } : { range }),
  }, { every: EVERY_SECONDS });
  const choose = (event) => setParams({ range: event.currentTarget.value, since: undefined, until: undefined });
  return html`<section class="charts"><div class="charts-head"><h2>${t('charts')}</h2>
    <label class="field"><span class="hidden">${t('charts.range')}</span><select title=${t('charts.range')} value=${fixed ? '' : range} onChange=${choose}>
      ${fixed && html`<option value="">${t('charts.fixed')}</option>`}
      ${[...new Set([...RANGES, ...(fixed ? [] : [range])])].sort((a, b) => a - b).map((each) => html`<option key=${each} value=${each}>${t('charts.last', { time: duration(each * 60) })}</option>`)}</select></label>
    ${fixed && html`<button class="small" onClick=${() => setParams({ since: undefined, until: undefined })}>${t('charts.now')}</button>`}</div>
    <${Part} live=${live} rows=${4}>${(data) => (data.times.length === 0 ? html`<p class="quiet">${t('charts.none')}</p>`
    : html`<div class="chart-grid">${CHARTS.map((chart) => html`<${Chart} key=${chart.name} chart=${chart} data=${data} />`)}</div><p class="quiet">${t('charts.note')}</p>`)}</${Part}></section>`;
}

const textOf = (name) => (name.startsWith('runP') ? t('series.percentile', { value: name.slice('runP'.length) }) : t(`series.${name}`));

/** The values of a line: counts become rates, and the lag is in the unit of its chart. */
function values(chart, name, data) {
  if (name === 'lag') {
    return data.series.lagP95.map((value) => (value === null ? null : value / 1000));
  }
  return chart.perMinute ? data.series[name].map((value) => value * 60 / data.step) : data.series[name];
}

const time = (at, long) => new Intl.DateTimeFormat(currentLanguage(), long ? { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' }
  : { hour: '2-digit', minute: '2-digit' }).format(new Date(at * 1000));

/** “done: 1,240 a minute, highest 2,010 at 14:03”. */
function summary(chart, lines, times, long) {
  const parts = lines.map(({ text, data }) => {
    const known = data.filter((value) => value !== null);
    if (known.length === 0) {
      return t('chart.nothing', { name: text });
    }
    const highest = known.reduce((a, b) => Math.max(a, b), 0);
    return t('chart.summary', {
      name: text, last: chart.format(known[known.length - 1]), highest: chart.format(highest), at: time(times[data.indexOf(highest)] ?? times[0], long),
    });
  });
  return `${t(`chart.${chart.name}`)}. ${parts.join('; ')}`;
}

function Chart({ chart, data }) {
  const [asTable, setAsTable] = useState(false);
  const [at, setAt] = useState(/** @type {number | null} */ (null));
  const long = data.times.length * data.step > 86400;
  const lines = chart.lines.map(([name, colour]) => ({ name, colour, text: textOf(name), data: values(chart, name, data) }));
  const shown = at !== null && at < data.times.length ? at : data.times.length - 1;
  return html`<figure class="card chart"><figcaption><h3>${t(`chart.${chart.name}`)}</h3>
      <button class="small plain" aria-pressed=${asTable} onClick=${() => setAsTable(!asTable)}>${t('chart.table')}</button></figcaption>
    ${asTable ? html`<${Numbers} chart=${chart} lines=${lines} times=${data.times} long=${long} />`
    : html`<${Canvas} chart=${chart} lines=${lines} times=${data.times} step=${data.step} long=${long} onPoint=${setAt} />`}
    <ul class="legend" aria-hidden="true"><li class="quiet">${time(data.times[shown], long)}</li>
      ${lines.map(({ name, colour, text, data: all }) => html`<li key=${name}><i class=${colour} />${text} <b>${chart.format(all[shown])}</b></li>`)}</ul></figure>`;
}

function Numbers({ chart, lines, times, long }) {
  return html`<div class="table chart-table" tabindex="0" role="region" aria-label=${t(`chart.${chart.name}`)}><table><caption class="hidden">${t(`chart.${chart.name}`)}</caption>
    <thead><tr><th scope="col">${t('word.time')}</th>${lines.map(({ name, text }) => html`<th key=${name} scope="col" class="number">${text}</th>`)}</tr></thead>
    <tbody>${times.map((at, i) => html`<tr key=${at}><th scope="row">${time(at, long)}</th>${lines.map(({ name, data }) => html`<td key=${name} class="number">${chart.format(data[i])}</td>`)}</tr>`).reverse()}</tbody></table></div>`;
}

/** The canvas. Dragging over it chooses a range; the figure's table says the same to those who cannot. */
function Canvas({ chart, lines, times, step, long, onPoint }) {
  const box = useRef(/** @type {any} */ (null));
  const plot = useRef(/** @type {any} */ (null));
  const { theme } = useSettings();
  const latest = useRef({ times, step });
  latest.current = { times, step };
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const draw = () => {
      plot.current?.destroy();
      plot.current = create();
    };
    const colour = (name) => {
      const probe = document.createElement('i');
      probe.className = name;
      box.current.append(probe);
      const found = getComputedStyle(probe).color; // resolved for the theme: a canvas knows no light-dark()
      probe.remove();
      return found;
    };
    const create = () => {
      const [text, line] = [colour('axis-text'), colour('axis-line')];
      const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1, size: 4 }, font: `11px ${getComputedStyle(document.body).fontFamily}` };
      return new uPlot({
        width: Math.max(200, box.current.clientWidth), height: HEIGHT, legend: { show: false }, padding: [8, 22, 0, 0],
        cursor: { y: false, drag: { x: true, y: false, setScale: false }, points: { size: 6 } },
        scales: { y: { range: (self, low, high) => [0, high > 0 ? high * 1.08 : 1] } },
        axes: [{ ...axis, space: 70, values: (self, splits) => splits.map((at) => time(at, long)) }, { ...axis, size: 62, space: 34, values: (self, splits) => splits.map(chart.format) }],
        series: [{}, ...lines.map(({ text: label, colour: name }) => ({ label, stroke: colour(name), width: 1.5, points: { show: false }, spanGaps: false }))],
        hooks: {
          setCursor: [(self) => onPoint(self.cursor.idx ?? null)],
          setSelect: [(self) => {
            const { times: all, step: slot } = latest.current;
            if (self.select.width > HOLD && all.length > 1) {
              const [since, until] = [self.posToVal(self.select.left, 'x'), self.posToVal(self.select.left + self.select.width, 'x')];
              const iso = (at) => new Date(Math.round(at) * 1000).toISOString();
              setParams({ since: iso(since), until: iso(Math.min(now() / 1000, Math.max(until, since + 5 * slot))), range: undefined }, false);
            }
          }],
        },
      }, [times, ...lines.map(({ data }) => data)], box.current);
    };
    draw();
    const sized = new ResizeObserver(() => plot.current?.setSize({ width: Math.max(200, box.current.clientWidth), height: HEIGHT }));
    sized.observe(box.current);
    dark.addEventListener('change', draw);
    return () => {
      sized.disconnect();
      dark.removeEventListener('change', draw);
      plot.current?.destroy();
      plot.current = null;
    };
  }, [theme, long]);
  useEffect(() => plot.current?.setData([times, ...lines.map(({ data }) => data)]), [times, step]);
  return html`<div class="chart-box" role="img" aria-label=${summary(chart, lines, times, long)} ref=${box} />`;
}

/** The course of an hour, as a small line. */
export function Sparkline({ values: all }) {
  if (!all || all.length < 2) {
    return html`<span class="quiet">–</span>`;
  }
  const highest = all.reduce((a, b) => Math.max(a, b), 0);
  const points = all.map((value, i) => `${(i * 100 / (all.length - 1)).toFixed(1)},${(highest === 0 ? 19 : 19 - 18 * value / highest).toFixed(1)}`).join(' ');
  return html`<svg class="sparkline" viewBox="0 0 100 20" preserveAspectRatio="none" role="img" aria-label=${t('sparkline', { highest, last: all[all.length - 1] })}><polyline points=${points} /></svg>`;
}
