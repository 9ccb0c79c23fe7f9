// @ts-check
/** The keyboard. Keys do nothing while the user types or a dialog is open. */
import { settings, change } from './settings.js';
import { go, link } from './router.js';

export const PLACES = { o: 'overview', q: 'queues', m: 'messages', d: 'dead', s: 'scheduled', r: 'recurring', n: 'nodes', b: 'blocked', a: 'audit' };
const SEQUENCE_MS = 1500;
let began = 0;
let before = 2;

const rows = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll('main tbody tr')]);
const current = () => rows().findIndex((row) => row.contains(document.activeElement));

function move(step) {
  const all = rows();
  const next = all[Math.max(0, Math.min(all.length - 1, current() + step))];
  /** @type {HTMLElement | null} */ (next && next.querySelector('a, button, input'))?.focus();
}

/** Listens, and calls back to show the list of keys. */
export function listen(help) {
  document.addEventListener('keydown', (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (!settings().keys || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')
      || target.matches('input:not([type=checkbox]), textarea, select')) {
      return;
    }
    const inSequence = Date.now() - began < SEQUENCE_MS;
    began = 0;
    if (inSequence && PLACES[event.key]) {
      event.preventDefault();
      go(link(PLACES[event.key]));
      return;
    }
    const actions = {
      g: () => { began = Date.now(); },
      '/': () => /** @type {HTMLElement | null} */ (document.querySelector('main input[type=search]'))?.focus(),
      j: () => move(1),
      k: () => move(-1),
      x: () => /** @type {HTMLElement | null} */ (rows()[current()]?.querySelector('input[type=checkbox]'))?.click(),
      r: () => /** @type {HTMLElement | null} */ (document.querySelector('main [data-key=r]'))?.click(),
      p: () => {
        before = settings().refresh || before;
        change({ refresh: settings().refresh ? 0 : before });
      },
      '?': help,
    };
    if (actions[event.key]) {
      event.preventDefault();
      actions[event.key]();
    }
  });
}
