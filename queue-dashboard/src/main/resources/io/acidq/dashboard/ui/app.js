// @ts-check
/** Starts the page: texts, session, the frame of all screens, and the screen that the address names. */
import { html, render, useEffect, useRef, useState } from './lib/html.js';
import { get, useCsrf, useLive } from './lib/api.js';
import { LANGUAGES, currentLanguage, loadTexts, number, t } from './lib/i18n.js';
import { applyTheme, change, useSettings } from './lib/settings.js';
import { followLinks, go, link, usePlace } from './lib/router.js';
import { Dialog, onNotice, setMissing, setUser } from './lib/act.js';
import { listen, PLACES } from './lib/keys.js';
import { Failure, Icon } from './lib/parts.js';
import { absolute } from './lib/time.js';
import { Overview } from './screen/overview.js';
import { Queues } from './screen/queues.js';
import { Queue } from './screen/queue.js';
import { Messages } from './screen/messages.js';
import { Message } from './screen/message.js';
import { Dead } from './screen/dead.js';
import { Bulk } from './screen/bulk.js';
import { Scheduled } from './screen/scheduled.js';
import { Recurring } from './screen/recurring.js';
import { Topics } from './screen/topics.js';
import { Nodes } from './screen/nodes.js';
import { Blocked } from './screen/blocked.js';
import { Audit } from './screen/audit.js';
import { Doctor } from './screen/doctor.js';

const SCREENS = {
  overview: Overview, queues: Queues, queue: Queue, messages: Messages, message: Message, dead: Dead, scheduled: Scheduled,
  recurring: Recurring, topics: Topics, nodes: Nodes, blocked: Blocked, audit: Audit, bulk: Bulk, doctor: Doctor,
};
const NAVIGATION = ['overview', 'queues', 'messages', 'dead', 'blocked', 'scheduled', 'recurring', 'topics', 'nodes', 'audit', 'doctor'];
const PARENTS = { queue: 'queues', message: 'messages', bulk: 'dead' };
const REFRESH = [2, 5, 15, 60, 0];

function App({ session }) {
  const place = usePlace();
  const overview = useLive('overview');
  const privileges = useLive('privileges', {}, { once: true });
  setMissing(privileges.data?.missing || {});
  const [open, setOpen] = useState(false);
  const [help, setHelp] = useState(false);
  const [notice, setNotice] = useState(/** @type {any} */ (null));
  const moved = useRef('');
  useEffect(() => {
    onNotice(setNotice);
    listen(() => setHelp(true));
  }, []);
  useEffect(() => {
    if (moved.current && moved.current !== place.screen) {
      /** @type {HTMLElement | null} */ (document.querySelector('main h1'))?.focus();
      setNotice(null);
    }
    moved.current = place.screen;
    setOpen(false);
  }, [place.href]);
  const Screen = SCREENS[place.screen] || Overview;
  const database = overview.error?.database || overview.data?.database;
  const away = database?.state === 'DOWN';
  return html`<a class="skip" href="#main">${t('skip')}</a>
    <header class="top">
      <button class="menu" aria-expanded=${open} aria-controls="navigation" onClick=${() => setOpen(!open)}>${t('menu')}</button>
      <a class="brand" href=${link('overview')}><img src=${new URL('./acidq.svg', import.meta.url).pathname} alt="" width="22" height="22" />AcidQ</a>
      <${Engine} session=${session} place=${place} />
      ${session.environment && html`<span class=${`environment ${/^prod/i.test(session.environment) ? 'production' : ''}`}>${session.environment}</span>`}
      <${Options} user=${session.user} />
    </header>
    <div class="frame">
      <nav id="navigation" class=${open ? 'open' : ''} aria-label=${t('navigation')}><ul>
        ${NAVIGATION.map((name) => html`<li key=${name}><a href=${link(name)} aria-current=${(PARENTS[place.screen] || place.screen) === name ? 'page' : undefined}>
          <span>${t(`nav.${name}`)}</span><${Badge} name=${name} overview=${overview.data} /></a></li>`)}</ul>
        <p class="quiet version">${session.version}</p></nav>
      <main id="main" class=${away ? 'away' : ''}>
        ${away && html`<div class="banner" role="alert"><${Icon} name="problem" /><span>${t('away', { since: absolute(database.since) })} ${database.error || ''}</span></div>`}
        ${overview.error && !away && !overview.data && html`<${Failure} error=${overview.error} onRetry=${overview.reload} />`}
        <div role="status" class="notices">${notice && html`<div class=${notice.bad ? 'notice bad' : 'notice'}><span>${notice.text}${notice.href && html` <a href=${notice.href}>${notice.label}</a>`}</span>
          <button class="small plain" aria-label=${t('close')} onClick=${() => setNotice(null)}>×</button></div>`}</div>
        <${Screen} key=${place.screen} params=${place.params} session=${session} overview=${overview} />
      </main>
    </div>
    ${help && html`<${Keys} onClose=${() => setHelp(false)} />`}`;
}

function Engine({ session, place }) {
  const names = session.engines.map((each) => each.name);
  const first = names.includes('main') ? 'main' : names[0];
  const name = place.params.engine || first;
  if (session.engines.length < 2) {
    return html`<span class="engine">${session.engines[0]?.name !== 'main' && html`<b>${session.engines[0]?.name}</b>`} <span class="quiet">${session.engines[0]?.server || ''}</span></span>`;
  }
  return html`<select class="engine" aria-label=${t('engine')} value=${name} onChange=${(event) => {
    const chosen = event.currentTarget.value;
    go(chosen === first ? 'overview' : `overview?engine=${encodeURIComponent(chosen)}`);
  }}>${session.engines.map((each) => html`<option key=${each.name} value=${each.name}>${each.name}${each.state === 'DOWN' ? ` (${t('engine.away')})` : ''}</option>`)}</select>`;
}

function Badge({ name, overview }) {
  const count = name === 'overview' ? overview?.attention.length + overview?.attentionMore : name === 'dead' ? overview?.totals.dead : 0;
  return count ? html`<span class=${name === 'dead' ? 'badge problem' : 'badge'} aria-label=${t(`badge.${name}`, { value: count })}>${count > 999 ? `${number(999)}+` : number(count)}</span>` : null;
}

function Options({ user }) {
  const settings = useSettings();
  const level = ['DESTROY', 'OPERATE', 'VIEW'].find((each) => user.permissions.includes(each));
  const [label, choice] = [t('option.refresh'), (seconds) => (seconds ? t('option.every', { seconds }) : t('option.off'))];
  return html`<div class="options">
    <label><span class="hidden">${label}</span><select title=${label} value=${settings.refresh} onChange=${(event) => change({ refresh: Number(event.currentTarget.value) })}>
      ${REFRESH.map((each) => html`<option key=${each} value=${each}>${choice(each)}</option>`)}</select></label>
    <label><span class="hidden">${t('option.theme')}</span><select title=${t('option.theme')} value=${settings.theme} onChange=${(event) => change({ theme: event.currentTarget.value })}>
      ${['auto', 'light', 'dark'].map((each) => html`<option key=${each} value=${each}>${t(`theme.${each}`)}</option>`)}</select></label>
    <label><span class="hidden">${t('option.language')}</span><select title=${t('option.language')} value=${currentLanguage()} onChange=${(event) => {
    change({ language: event.currentTarget.value });
    location.reload();
  }}>${Object.entries(LANGUAGES).map(([each, name]) => html`<option key=${each} value=${each} lang=${each}>${name}</option>`)}</select></label>
    <span class="user" title=${user.permissions.join(', ')}>${user.name} <span class="quiet">${t(`user.${level}`)}</span></span>
    ${canSignOut() && html`<button class="small plain" onClick=${signOut}>${t('signOut')}</button>`}</div>`;
}

/** Whether the user has signed in at the dashboard itself, and not at the application. */
const canSignOut = () => Boolean(document.getElementById('app')?.dataset.signOut);

async function signOut() {
  await fetch('logout', { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-AcidQ': '1' }, body: '{}' });
  location.assign('login');
}

function Keys({ onClose }) {
  const settings = useSettings();
  const keys = [['/', t('key.search')], ...Object.entries(PLACES).map(([key, screen]) => [`g ${key}`, t(`nav.${screen}`)]),
    ['j k', t('key.rows')], ['Enter', t('key.open')], ['x', t('key.select')], ['r', t('key.replay')], ['p', t('key.pause')], ['?', t('key.help')]];
  return html`<${Dialog} title=${t('keys')} onClose=${onClose}><dl class="keys">${keys.map(([key, text]) => html`<div key=${key}><dt><kbd>${key}</kbd></dt><dd>${text}</dd></div>`)}</dl>
    <label class="check"><input type="checkbox" checked=${settings.keys} onChange=${(event) => change({ keys: event.currentTarget.checked })} /> ${t('key.on')}</label>
    <div class="buttons"><button onClick=${onClose}>${t('close')}</button></div></${Dialog}>`;
}

async function start() {
  applyTheme();
  const root = /** @type {HTMLElement} */ (document.getElementById('app'));
  try {
    const [, session] = await Promise.all([loadTexts(), get('session')]);
    setUser(session.user);
    useCsrf(session.csrf);
    followLinks();
    render(html`<${App} session=${session} />`, root);
  } catch (error) {
    render(html`<main class="alone"><h1>AcidQ</h1><${Failure} error=${error} onRetry=${() => location.reload()} /></main>`, root);
  }
}

start();
