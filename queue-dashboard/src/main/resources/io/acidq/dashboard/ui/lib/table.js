// @ts-check
/** Tables with keyed rows. While the pointer is over the rows, or the focus in them, they are not moved: new ones wait behind a button. */
import { html, useRef, useState } from './html.js';
import { t } from './i18n.js';

/**
 * @param {object} props
 * @param {string} props.caption
 * @param {{name: string, text: string, cell: (row: any) => any, number?: boolean, sort?: string, wide?: boolean, optional?: (row: any) => any}[]} props.columns
 * An optional column is shown if a row has a value for it.
 * @param {any[]} props.rows
 * @param {(row: any) => string} props.rowKey
 * @param {string} [props.sort] the column that the rows are sorted by
 * @param {(name: string) => void} [props.onSort]
 * @param {Set<string>} [props.selected]
 * @param {(selected: Set<string>) => void} [props.onSelect]
 * @param {(row: any) => string} [props.rowClass]
 */
export function Table({ caption, columns: all, rows, rowKey, sort, onSort, selected, onSelect, rowClass }) {
  const columns = all.filter((column) => !column.optional || rows.some(column.optional));
  const [held, hold] = useState(/** @type {any[] | null} */ (null));
  const latest = useRef(rows);
  latest.current = rows;
  const byKey = new Map(rows.map((row) => [rowKey(row), row]));
  const shown = held ? held.map((row) => byKey.get(rowKey(row)) || row) : rows;
  const known = new Set(shown.map(rowKey));
  const waiting = held ? rows.filter((row) => !known.has(rowKey(row))).length : 0;
  const release = (event) => {
    const body = event.currentTarget;
    if (!body.contains(document.activeElement) || event.type === 'focusout' && !body.contains(event.relatedTarget)) {
      hold(null);
    }
  };
  const toggle = (key) => {
    const next = new Set(selected);
    if (!next.delete(key)) {
      next.add(key);
    }
    onSelect?.(next);
  };
  const every = selected && shown.length > 0 && shown.every((row) => selected.has(rowKey(row)));
  return html`<div class="table" tabindex=${shown.length > 0 ? 0 : undefined} role="region" aria-label=${caption}>
    ${waiting > 0 && html`<button class="waiting" onClick=${() => hold(null)}>${t('table.new', { n: waiting })}</button>`}
    <table>
      <caption class="hidden">${caption}</caption>
      <thead><tr>
        ${selected && html`<th scope="col" class="check"><input type="checkbox" aria-label=${t('table.all')} checked=${every}
          onChange=${() => onSelect?.(every ? new Set() : new Set(shown.map(rowKey)))} /></th>`}
        ${columns.map((column) => html`<th key=${column.name} scope="col" class=${column.number ? 'number' : column.wide ? `wide ${column.name}` : ''}
          aria-sort=${column.sort && column.sort === sort ? (column.number ? 'descending' : 'ascending') : undefined}>
          ${column.sort && onSort ? html`<button class="sort" onClick=${() => onSort(column.sort)}>${column.text}</button>` : column.text}</th>`)}
      </tr></thead>
      <tbody onMouseEnter=${() => hold((before) => before || latest.current)} onFocusIn=${() => hold((before) => before || latest.current)}
        onMouseLeave=${release} onFocusOut=${release}>
        ${shown.map((row) => {
    const key = rowKey(row);
    return html`<tr key=${key} class=${`${rowClass ? rowClass(row) : ''}${byKey.has(key) ? '' : ' gone'}`}>
          ${selected && html`<td class="check"><input type="checkbox" aria-label=${t('table.select', { name: key })} checked=${selected.has(key)} onChange=${() => toggle(key)} /></td>`}
          ${columns.map((column) => html`<td key=${column.name} class=${column.number ? 'number' : column.wide ? 'wide' : ''}>${column.cell(row)}</td>`)}
        </tr>`;
  })}
      </tbody>
    </table></div>`;
}
