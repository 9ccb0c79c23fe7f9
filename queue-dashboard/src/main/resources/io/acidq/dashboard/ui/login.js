// @ts-check
/** The page where a user signs in at the dashboard itself. */
import { html, render, useState } from './lib/html.js';
import { loadTexts, t } from './lib/i18n.js';
import { applyTheme } from './lib/settings.js';

const root = /** @type {HTMLElement} */ (document.getElementById('app'));

/** Leads to the screen that was asked for; what is no screen of this dashboard leads to the overview. */
function leave() {
  const to = new URLSearchParams(location.search).get('to') || '';
  location.replace(/^[a-z]+(\?|$)/.test(to) ? to : 'overview');
}

async function signIn(fields) {
  const response = await fetch('login', { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-AcidQ': '1' }, body: JSON.stringify(fields) });
  if (!response.ok) {
    const body = await response.json().catch(() => ({}));
    throw new Error(body.error || `HTTP ${response.status}`);
  }
}

function Form({ code }) {
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    try {
      await signIn(code ? { secret: form.get('secret') } : { name: form.get('name'), secret: form.get('secret') });
      leave();
    } catch (problem) {
      setError(problem.message);
      setBusy(false);
    }
  };
  return html`<main class="alone"><h1>AcidQ</h1><form class="card login" onSubmit=${submit}>
    ${!code && html`<label class="field">${t('signIn.name')}<input name="name" autocomplete="username" autofocus required maxlength="100" /></label>`}
    <label class="field">${code ? t('signIn.code') : t('signIn.password')}<input name="secret" type=${code ? 'text' : 'password'} autocomplete=${code ? 'one-time-code' : 'current-password'}
      autofocus=${code} autocapitalize="characters" spellcheck="false" required maxlength="500" aria-describedby=${code ? 'note' : undefined} /></label>
    ${code && html`<p class="note" id="note">${t('signIn.note')}</p>`}
    <p class="error" role="alert">${error}</p>
    <button class="primary" disabled=${busy}>${t('signIn')}</button></form></main>`;
}

async function start() {
  applyTheme();
  const known = await fetch('login', { cache: 'no-store' }); // this page came without the cookie if a link of another site led here
  if (known.redirected) {
    leave();
    return;
  }
  await loadTexts();
  document.title = `${t('signIn')} · AcidQ`;
  render(html`<${Form} code=${Boolean(root.dataset.code)} />`, root);
}

start();
