// @ts-check
/** Acts: a button that says who may, a dialog that asks why, and the line that says what happened. */
import { html, useEffect, useRef, useState } from './html.js';
import { post } from './api.js';
import { t } from './i18n.js';
import { go, link } from './router.js';

let user = { name: '', permissions: [] };
let say = (/** @type {any} */ _message) => {};

export function setUser(value) {
  user = value;
}

export function onNotice(callback) {
  say = callback;
}

export const may = (permission) => user.permissions.includes(permission);

let missing = {};

/** Notes the privileges that the account of the database lacks, by act. */
export function setMissing(value) {
  missing = value;
}

/** A button for an act. Without the permission, or without a privilege of the account of the database, it is there, does nothing, and says why. */
export function ActButton({ permission, act = '', onClick, children, danger = false, small = false, keyName = undefined, disabled = '' }) {
  const lacking = missing[act];
  const why = !may(permission) ? t('action.notPermitted', { permission, name: user.name }) : lacking ? t('action.noPrivilege', { privileges: lacking.join(', ') }) : disabled;
  return html`<button class=${`${danger ? 'danger' : ''} ${small ? 'small' : ''}`} aria-disabled=${why ? 'true' : undefined} title=${why || undefined}
    data-key=${keyName} onClick=${() => (why ? say({ text: why, bad: true }) : onClick())}>${children}</button>`;
}

export function Dialog({ title, onClose, children }) {
  const ref = useRef(/** @type {any} */ (null));
  useEffect(() => {
    const before = document.activeElement;
    ref.current.showModal();
    ref.current.querySelector('input[name=reason]')?.focus();
    return () => /** @type {any} */ (before)?.focus?.();
  }, []);
  return html`<dialog ref=${ref} aria-label=${title} onCancel=${(event) => { event.preventDefault(); onClose(); }}><h2>${title}</h2>${children}</dialog>`;
}

/**
 * Asks for the reason, and acts.
 *
 * @param {object} props
 * @param {string} props.title
 * @param {any} [props.text] what will happen
 * @param {string} props.verb
 * @param {string} props.path of the API
 * @param {(reason: string) => object} props.fields what is sent
 * @param {(answer: any) => string} props.done the sentence for the answer
 * @param {() => void} props.onClose
 * @param {boolean} [props.danger]
 * @param {string} [props.confirm] a word that must be typed
 * @param {any} [props.children] further fields
 * @param {string} [props.queue] whose audit entries the notice links to
 * @param {boolean} [props.disabled] whether the fields do not permit the act
 */
export function ActDialog({ title, text, verb, path, fields, done, onClose, danger = false, confirm = '', children, queue = '', disabled = false }) {
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);
  const act = async (event) => {
    event.preventDefault();
    setBusy(true);
    setError('');
    try {
      const answer = await post(path, fields(reason));
      say({ text: done(answer), href: link('audit', { queue }), label: t('notice.audit') });
      onClose();
    } catch (failure) {
      setError(failure.message);
      setBusy(false);
    }
  };
  return html`<${Dialog} title=${title} onClose=${onClose}><form onSubmit=${act}>
    ${text && html`<p>${text}</p>`}${children}
    <${Reason} value=${reason} onInput=${setReason} />
    ${confirm && html`<label class="field">${t('action.type', { word: confirm })}<input value=${typed} autocomplete="off" onInput=${(event) => setTyped(event.currentTarget.value)} /></label>`}
    ${error && html`<p class="error" role="alert">${error}</p>`}
    <div class="buttons"><button type="button" onClick=${onClose}>${t('cancel')}</button>
    <button class=${danger ? 'danger primary' : 'primary'} disabled=${busy || disabled || !reason.trim() || (confirm && typed !== confirm)}>${verb}</button></div>
  </form></${Dialog}>`;
}

export const Reason = ({ value, onInput }) => html`<label class="field">${t('action.reason')}
  <input name="reason" value=${value} maxlength="500" required autocomplete="off" placeholder=${t('action.reason.hint')} onInput=${(event) => onInput(event.currentTarget.value)} /></label>`;

const LIMITS = [1, 10, 100, 1000, 10000, 100000];
const MAX_OF_OPERATORS = 10000;
const RATES = [0, 1, 10, 100, 1000];
const withValue = (list, value) => [...new Set([...list, value])].sort((a, b) => a - b);

/**
 * Replays or discards dead letters: a dry run first, whose set cannot grow, then the act on that set.
 *
 * @param {object} props
 * @param {'replay' | 'discard'} props.action
 * @param {string} props.queue
 * @param {object} props.selection a filter, or ids
 * @param {string} props.what the selection in words
 * @param {number} [props.most] how many at most, to begin with
 * @param {number} [props.atRate] how many a second, to begin with
 * @param {() => void} props.onClose
 */
export function BulkDialog({ action, queue, selection, what, most = 1000, atRate = 0, onClose }) {
  const maxOfUser = may('DESTROY') ? LIMITS[LIMITS.length - 1] : MAX_OF_OPERATORS;
  const [first] = useState({ limit: Math.min(most, maxOfUser), rate: atRate });
  const byIds = 'ids' in selection;
  const [reason, setReason] = useState('');
  const [limit, setLimit] = useState(first.limit);
  const [rate, setRate] = useState(first.rate);
  const [typed, setTyped] = useState('');
  const [dry, setDry] = useState(/** @type {any} */ (null));
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);
  const discards = action === 'discard';
  const confirm = dry && dry.wouldChange > (discards ? 1 : 1000) ? queue : '';
  const send = async (event) => {
    event.preventDefault();
    setBusy(true);
    setError('');
    const fields = { queue, ...selection, reason, ...(byIds ? {} : { limit, rate }) };
    try {
      if (!dry) {
        setDry(await post(`dead/${action}`, { ...fields, dryRun: true }));
      } else {
        const result = await post(`dead/${action}`, { ...fields, dryRun: false, ...(byIds ? {} : { until: dry.until, matched: dry.matched }) });
        onClose();
        if (result.state) { // it goes on after the answer
          go(link('bulk', { id: result.id }));
        } else {
          say({ text: sentence(action, result), href: link('audit', { queue }), label: t('notice.audit') });
        }
      }
    } catch (failure) {
      setError(failure.message);
      setDry(null);
    }
    setBusy(false);
  };
  return html`<${Dialog} title=${t(`bulk.${action}.title`)} onClose=${onClose}><form onSubmit=${send}>
    <p>${what}</p><p class="quiet">${t(`bulk.${action}.text`)}</p>
    ${!byIds && html`<label class="field">${t('bulk.limit')}<select value=${limit} onChange=${(event) => { setLimit(Number(event.currentTarget.value)); setDry(null); }}>
      ${withValue(LIMITS, first.limit).filter((each) => each <= maxOfUser).map((each) => html`<option key=${each} value=${each}>${t('bulk.upTo', { n: each })}</option>`)}</select></label>
    <label class="field">${t('bulk.rate')}<select value=${rate} onChange=${(event) => { setRate(Number(event.currentTarget.value)); setDry(null); }}>
      ${withValue(RATES, first.rate).map((each) => html`<option key=${each} value=${each}>${each ? t('bulk.perSecond', { n: each }) : t('bulk.noRate')}</option>`)}</select></label>`}
    <${Reason} value=${reason} onInput=${setReason} />
    ${dry && html`<div class="result" role="status"><dl class="facts">
      <div><dt>${t('bulk.matched')}</dt><dd>${t('count', { value: dry.matched })}</dd></div>
      <div><dt>${t(`bulk.${action}.would`)}</dt><dd>${t('count', { value: dry.wouldChange })}</dd></div>
      ${dry.keyTaken > 0 && html`<div><dt>${t('bulk.keyTaken')}</dt><dd>${t('count', { value: dry.keyTaken })}</dd></div>`}
      ${dry.beyondLimit > 0 && html`<div><dt>${t('bulk.beyondLimit')}</dt><dd>${t('count', { value: dry.beyondLimit })}</dd></div>`}</dl>
      <p class="quiet">${t('bulk.until')}</p></div>`}
    ${confirm && html`<label class="field">${t('action.type', { word: confirm })}<input name="confirm" value=${typed} autocomplete="off" onInput=${(event) => setTyped(event.currentTarget.value)} /></label>`}
    ${error && html`<p class="error" role="alert">${error}</p>`}
    <div class="buttons"><button type="button" onClick=${onClose}>${t('cancel')}</button>
    ${dry
    ? html`<button key="act" class=${discards ? 'danger primary' : 'primary'} disabled=${busy || dry.wouldChange === 0 || (confirm && typed !== confirm)}>${t(`bulk.${action}.action`, { count: dry.wouldChange })}</button>`
    : html`<button key="dry" class="primary" disabled=${busy || !reason.trim()}>${t('bulk.dryRun')}</button>`}</div>
  </form></${Dialog}>`;
}

function sentence(action, result) {
  const parts = [t(`bulk.${action}.done`, { count: result.changed })];
  if (result.lost) {
    parts.push(t('bulk.lost', { count: result.lost }));
  }
  if (result.keyTaken) {
    parts.push(t('bulk.keyTakenDone', { count: result.keyTaken }));
  }
  if (result.beyondLimit) {
    parts.push(t('bulk.beyondDone', { count: result.beyondLimit }));
  }
  return parts.join(', ');
}
