/** Resolves the links of our documents to pages of the documentation. */
import { posix } from 'node:path'
import { ERROR_CATALOGUE } from '../../contract/errors/error-catalogue.ts'
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import type { DocsSettings } from '../docs-settings.ts'
import type { LinkRules } from '../markdown/render-markdown.ts'
import { operationPath } from '../reference/operation-groups.ts'
import { GUIDES, guidePath } from './guide-list.ts'

/** Documents that are not guides, by their file below docs/. */
const OTHER_DOCUMENTS: Readonly<Record<string, string>> = {
  'sandbox.md': '/docs/sandbox',
  'command-line.md': '/docs/command-line',
  'errors.md': '/docs/errors',
  'openapi.json': '/docs/reference',
  '../CHANGELOG.md': '/docs/changelog',
}

/** The rules for a document, which is named by its file below docs/. */
export function documentLinks(file: string, { mode }: Pick<DocsSettings, 'mode'>): LinkRules {
  const served: readonly Operation[] = Object.values(operations)
  const byId = new Map(
    served.filter(({ sandboxOnly }) => mode === 'sandbox' || !sandboxOnly).map((entry) => [entry.id, entry]),
  )
  return {
    linkOf: (href) => (/^(https?:|#|\/)/.test(href) ? href : linkOfDocument(file, href, mode)),
    linkOfCode: (code) => {
      const found = byId.get(code)
      return found !== undefined ? operationPath(found) : code in ERROR_CATALOGUE ? `/docs/errors#${code}` : undefined
    },
  }
}

function linkOfDocument(file: string, href: string, mode: DocsSettings['mode']): string | undefined {
  const [target = '', anchor] = href.split('#')
  const path = posix.join(posix.dirname(file), target)
  const entry = GUIDES.find((one) => one.file === path)
  const page = entry === undefined ? OTHER_DOCUMENTS[path] : guidePath(entry)
  const isServed = page !== undefined && (mode === 'sandbox' || page !== '/docs/sandbox')
  return isServed ? `${page}${anchor === undefined ? '' : `#${anchor}`}` : undefined
}
