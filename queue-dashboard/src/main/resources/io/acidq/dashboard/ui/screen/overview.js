// @ts-check
/** What needs attention, the totals, and the busiest queues. */
import { html } from '../lib/html.js';
import { useLive } from '../lib/api.js';
import { number, t, tOr } from '../lib/i18n.js';
import { link, serverLink } from '../lib/router.js';
import { Count, Empty, Heading, Icon, Level, Part } from '../lib/parts.js';
import { Time } from '../lib/time.js';
import { Charts } from '../lib/chart.js';
import { QueueTable } from './queues.js';

const BUSIEST = 10;

export function Overview({ overview, session, params }) {
  const queues = useLive('queues', { sort: 'ready', limit: BUSIEST });
  return html`<${Heading} title=${t('nav.overview')} note=${overview.data?.asOf && html`${t('asOf')} <${Time} at=${overview.data.asOf} />`} />
    ${session.engines.length > 1 && html`<${Engines} engines=${session.engines} current=${params.engine || 'main'} />`}
    <${Part} live=${overview} rows=${6}>${(data) => html`<${Attention} data=${data} /><${Totals} totals=${data.totals} nodes=${data.nodes} /><${Rates} rates=${data.rates} />`}</${Part}>
    <${Charts} params=${params} />
    <section><h2>${t('overview.busiest')}</h2>
      <${Part} live=${queues}>${(data) => (data.queues.length
    ? html`<${QueueTable} queues=${data.queues} caption=${t('overview.busiest')} /><p><a href=${link('queues')}>${t('overview.all')}</a></p>`
    : html`<${Empty} title=${t('queues.none')} text=${t('queues.none.text')} />`)}</${Part}></section>`;
}

function Attention({ data }) {
  if (data.attention.length === 0) {
    return html`<section class="card calm"><${Icon} name="ok" /><p>${t('attention.none')}</p></section>`;
  }
  return html`<section><h2>${t('attention')}</h2><ul class="attention">
    ${data.attention.map((each) => html`<li key=${`${each.kind} ${each.queue} ${each.text}`} class=${each.level === 'PROBLEM' ? 'problem' : 'warning'}>
      <${Level} level=${each.level} /><div><a href=${serverLink(each.link)}>${tOr(`attention.${each.kind}`, each.kind)}${each.queue ? html`: <b>${each.queue}</b>` : ''}</a><p>${each.text}</p></div></li>`)}
    </ul>${data.attentionMore > 0 && html`<p class="quiet">${t('attention.more', { n: data.attentionMore })}</p>`}</section>`;
}

function Totals({ totals, nodes }) {
  const tiles = [
    ['ready', link('queues', { sort: 'ready' })], ['running', link('queues', { sort: 'running' })], ['waiting', link('queues', { sort: 'waiting' })],
    ['scheduled', link('queues', { sort: 'scheduled' })], ['dead', link('dead')],
  ];
  return html`<section><h2 class="hidden">${t('overview.totals')}</h2><ul class="tiles">
    ${tiles.map(([name, href]) => html`<li key=${name}><a href=${href} class=${name === 'dead' && totals.dead > 0 ? 'problem' : ''}><span>${t(`count.${name}`)}</span>
      <b><${Count} value=${totals[name]} complete=${totals.complete} /></b></a></li>`)}
    <li><a href=${link('nodes')} class=${nodes.alive === 0 ? 'quiet' : ''}><span>${t('overview.nodes')}</span><b><${Count} value=${nodes.alive} /></b></a></li></ul></section>`;
}

function Rates({ rates }) {
  return rates ? html`<p class="quiet rates">${t('overview.rates')} ${['enqueued', 'done', 'retried', 'dead'].map((name) => html`<span key=${name}>${t(`series.${name}`)} <b>${number(rates[name])}</b></span>`)}</p>` : null;
}

function Engines({ engines, current }) {
  const sorted = [...engines].sort((a, b) => Number(b.state === 'DOWN') - Number(a.state === 'DOWN'));
  return html`<ul class="tiles engines">${sorted.map((each) => html`<li key=${each.name}>
    <a href=${each.name === 'main' ? 'overview' : `overview?engine=${encodeURIComponent(each.name)}`} aria-current=${each.name === current ? 'true' : undefined}>
    <b>${each.name}</b><span>${each.server || ''}</span><${Level} level=${each.state === 'DOWN' ? 'PROBLEM' : 'OK'} /></a></li>`)}</ul>`;
}
