// @ts-check
/** The JSON API: GET with the last version, POST as JSON, and hooks that ask again while they are shown. */
import { useEffect, useRef, useState } from './html.js';
import { place } from './router.js';
import { settings, onChange } from './settings.js';
import { learnClock } from './time.js';

const LOGIN = 'acidq-login';
const LONGEST_MS = 60000;

/** A server that does not answer must not stop the page for ever. */
const TIMEOUT_MS = 30000;
const LONG_TIMEOUT_MS = 60000;

/** An answer that is no success. */
export class ApiError extends Error {
  constructor(status, body) {
    super(body.error || `HTTP ${status}`);
    this.status = status;
    this.database = body.database;
    /** The seconds that the request may be given when it is asked again, if it took too long. */
    this.longerTimeout = body.longerTimeout;
  }
}

let csrf = null;

/** Sends the header that the application wants with each POST. */
export function useCsrf(value) {
  csrf = value;
}

async function read(response) {
  let body = {};
  try {
    body = await response.json();
  } catch { /* a proxy may answer with a page of its own */ }
  if (response.ok) {
    learnClock(body.now);
    return body;
  }
  if (response.status === 401 && !sessionStorage.getItem(LOGIN)) {
    sessionStorage.setItem(LOGIN, location.href);
    location.reload(); // once: the application's login comes first, and leads back
  }
  throw new ApiError(response.status, body);
}

function address(path, params) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ engine: place().params.engine, ...params })) {
    if (value !== undefined && value !== null && value !== '') {
      query.set(name, String(value));
    }
  }
  return `api/v1/${path}${query.size ? `?${query}` : ''}`;
}

/** Asks once. */
export async function get(path, params = {}) {
  return read(await fetch(address(path, params), { cache: 'no-store', headers: { Accept: 'application/json' } }));
}

/** Asks once, for a text. */
export async function getText(path, params = {}) {
  const response = await fetch(address(path, params), { cache: 'no-store' });
  if (!response.ok) {
    await read(response); // throws
  }
  return response.text();
}

/** Asks for a file, and lets the browser save it. */
export async function download(path, params, type, name) {
  const response = await fetch(address(path, params), { cache: 'no-store', headers: { Accept: type } });
  if (!response.ok) {
    await read(response); // throws
  }
  const url = URL.createObjectURL(await response.blob());
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  URL.revokeObjectURL(url);
}

export async function post(path, fields) {
  const headers = { 'Content-Type': 'application/json', 'X-AcidQ': '1', ...(csrf ? { [csrf.header]: csrf.token } : {}) };
  const engine = place().params.engine;
  const body = JSON.stringify(engine ? { engine, ...fields } : fields);
  const answer = await read(await fetch(`api/v1/${path}`, { method: 'POST', headers, body }));
  changed.forEach((each) => each());
  return answer;
}

/** Called after each act: what is shown asks at once. */
const changed = new Set();

/**
 * The answer to a GET, asked again as often as the user has chosen, with the version that is known. What is there stays while it is asked again, and after an error.
 * A path of null asks nothing. With `every` it is asked again after so many seconds at the soonest. What the user has given a longer timeout is not asked again by
 * itself, but for acts: it costs the database more than a look is worth.
 *
 * @returns {{data: any, error: any, asking: boolean, slow: boolean, reload: (timeout?: number) => void}}
 */
export function useLive(path, params = {}, { once = false, every = 0 } = {}) {
  const url = path === null ? null : address(path, params);
  const [state, set] = useState({ url: '', data: null, error: null, slow: false });
  const reload = useRef((/** @type {number | undefined} */ _timeout) => {});
  useEffect(() => {
    if (url === null) {
      return undefined;
    }
    let over = false;
    let timer = 0;
    let version = null;
    let failures = 0;
    let running = false;
    let again = false;
    let timeout = 0;
    const plan = () => {
      clearTimeout(timer);
      const seconds = settings().refresh && Math.max(every, settings().refresh);
      if (!over && !once && !timeout && seconds && !document.hidden) {
        timer = setTimeout(ask, Math.min(LONGEST_MS, seconds * 1000 * 2 ** failures));
      }
    };
    const ask = async () => {
      if (running) {
        again = true; // an act has changed something after this answer was made
        return;
      }
      running = true;
      clearTimeout(timer);
      try {
        const longer = timeout ? `${url.includes('?') ? '&' : '?'}timeout=${timeout}` : '';
        const slow = timeout > 0;
        const response = await fetch(url + longer, { cache: 'no-store', signal: AbortSignal.timeout(slow ? LONG_TIMEOUT_MS : TIMEOUT_MS), headers: { Accept: 'application/json', ...(version ? { 'If-None-Match': version } : {}) } });
        if (response.status !== 304) {
          const data = await read(response);
          version = response.headers.get('ETag');
          if (!over) {
            set({ url, data, error: null, slow });
          }
        } else if (!over) {
          set((before) => ({ ...before, error: null }));
        }
        failures = 0;
        sessionStorage.removeItem(LOGIN);
      } catch (error) {
        failures = Math.min(failures + 1, 5);
        if (!over) {
          set((before) => ({ url, data: before.url === url ? before.data : null, error, slow: false }));
        }
      }
      running = false;
      if (again && !over) {
        again = false;
        ask();
      } else {
        plan();
      }
    };
    const acted = () => {
      failures = 0;
      ask();
    };
    const shown = () => (document.hidden ? clearTimeout(timer) : settings().refresh && !once && !timeout ? ask() : undefined);
    reload.current = (seconds = 0) => {
      if (seconds) {
        timeout = seconds;
        set((before) => ({ ...before, error: null })); // the part shows that it is loading
      }
      ask();
    };
    ask();
    changed.add(acted);
    document.addEventListener('visibilitychange', shown);
    const forget = onChange(plan);
    return () => {
      over = true;
      clearTimeout(timer);
      changed.delete(acted);
      document.removeEventListener('visibilitychange', shown);
      forget();
    };
  }, [url]);
  const current = state.url === url;
  return {
    data: current ? state.data : null, error: current ? state.error : null, asking: !current, slow: current && state.slow,
    reload: (seconds = 0) => reload.current(seconds),
  };
}
