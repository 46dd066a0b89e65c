/** Renders the navigation of the documentation: guides, groups of operations, and the other pages. */
import { html } from 'ghtml'
import type { OperationGroup } from '../operation-groups.ts'

export type NavigationLink = { readonly path: string; readonly title: string }

/** A heading with its links. */
export type NavigationPart = { readonly title: string; readonly links: readonly NavigationLink[] }

/** The list of links; the group of the current page shows its operations. */
export function navigation(
  parts: readonly NavigationPart[],
  groups: readonly OperationGroup[],
  current: string,
): string {
  const guides = parts
    .map(({ title, links }) =>
      linkList(
        title,
        links.map((link) => item(link, current)),
      ),
    )
    .join('')
  return `${guides}${linkList(
    'API reference',
    groups.map((group) => groupItem(group, current)),
  )}`
}

function linkList(title: string, items: readonly string[]): string {
  return html`<p>${title}</p><ul>!${items.join('')}</ul>`
}

function item({ path, title }: NavigationLink, current: string): string {
  return `<li>${link({ path, title }, current)}</li>`
}

function link({ path, title }: NavigationLink, current: string): string {
  return html`<a href="${path}"!${path === current ? ' aria-current="page"' : ''}>${title}</a>`
}

function groupItem({ tag, path, operations }: OperationGroup, current: string): string {
  const inside =
    path === current
      ? `<ul class="operations">${operations.map(({ id, method, summary }) => html`<li><a href="#${id}"><span class="verb ${method.toLowerCase()}">${method}</span> ${summary}</a></li>`).join('')}</ul>`
      : ''
  return `<li>${link({ path, title: tag }, current)}${inside}</li>`
}
