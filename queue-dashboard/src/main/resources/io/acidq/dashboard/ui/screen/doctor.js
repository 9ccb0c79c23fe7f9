// @ts-check
/** The findings of the doctor, worst first. */
import { html, useState } from '../lib/html.js';
import { post, useLive } from '../lib/api.js';
import { t } from '../lib/i18n.js';
import { ActButton } from '../lib/act.js';
import { Copy, Empty, Failure, Heading, Level, Part } from '../lib/parts.js';
import { Time } from '../lib/time.js';

const ORDER = ['PROBLEM', 'WARNING', 'OK'];

export function Doctor() {
  const live = useLive('doctor');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(/** @type {any} */ (null));
  const run = async () => {
    setBusy(true);
    setError(null);
    try {
      await post('doctor', {});
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  return html`<${Heading} title=${t('nav.doctor')} note=${live.data?.ranAt ? html`${t('doctor.ranAt')} <${Time} at=${live.data.ranAt} />` : t('doctor.note')}>
      ${live.data?.findings.length > 0 && html`<${Copy} text=${live.data.findings.map((each) => `${each.level} ${each.check}: ${each.found}\n${each.advice}`.trim()).join('\n\n')} label=${t('doctor.copy')} />`}
      <${ActButton} permission="OPERATE" disabled=${busy ? t('doctor.running') : ''} onClick=${run}>${t(busy ? 'doctor.running' : 'doctor.run')}</${ActButton}></${Heading}>
    ${error && html`<${Failure} error=${error} onRetry=${run} />`}
    <${Part} live=${live} rows=${8}>${(data) => (!data.ranAt ? html`<${Empty} title=${t('doctor.never')} text=${t('doctor.never.text')} />` : html`<${Findings} findings=${data.findings} />`)}</${Part}>`;
}

function Findings({ findings }) {
  const sorted = [...findings].sort((a, b) => ORDER.indexOf(a.level) - ORDER.indexOf(b.level));
  return html`<ul class="attention">${sorted.map((each) => html`<li key=${each.check + each.found} class=${each.level === 'PROBLEM' ? 'problem' : each.level === 'WARNING' ? 'warning' : ''}><${Level} level=${each.level} />
    <div><b>${each.check}</b><p>${each.found}</p>${each.advice && html`<p class="advice">${each.advice}</p>`}</div></li>`)}</ul>`;
}
