/** Groups the operations as the reference shows them, one page for each group. */
import { operationTags } from '../contract/openapi/openapi-document.ts'
import type { Operation } from '../contract/operation.ts'
import { operations } from '../contract/operations.ts'
import type { DocsSettings } from './docs-settings.ts'

export type OperationGroup = {
  readonly tag: string
  readonly description: string
  readonly path: string
  readonly operations: readonly Operation[]
}

/** The groups with operations; in production without those of the sandbox. */
export function operationGroups({ mode }: Pick<DocsSettings, 'mode'>): readonly OperationGroup[] {
  const all: readonly Operation[] = Object.values(operations)
  const served = all.filter(({ sandboxOnly }) => mode === 'sandbox' || !sandboxOnly)
  return operationTags
    .map(([tag, description]) => ({
      tag,
      description,
      path: groupPath(tag),
      operations: served.filter((entry) => entry.tag === tag),
    }))
    .filter((group) => group.operations.length > 0)
}

/** The page and anchor of an operation. */
export function operationPath({ id, tag }: Pick<Operation, 'id' | 'tag'>): string {
  return `${groupPath(tag)}#${id}`
}

function groupPath(tag: string): string {
  return `/docs/reference/${tag.toLowerCase().replaceAll(' ', '-')}`
}
