/** Writes `_generated/operations.py`: what the client has to know of each operation to call it. */
import type { ClientMethod } from './client-methods.ts'
import { exploded, HEADER, literal } from './python-text.ts'

export function operationsModule(methods: readonly ClientMethod[], scopes: Readonly<Record<string, string>>): string {
  return [
    '"""The operations of the API, as the client calls them."""',
    HEADER,
    'from typing import Final',
    '',
    'from .. import models',
    'from .._operation import Operation',
    '',
    ...exploded(
      'SCOPES: Final = {',
      Object.entries(scopes).map(([environment, scope]) => `${literal(environment)}: ${literal(scope)}`),
      '}',
    ),
    '"""The OAuth 2.0 scope of each environment."""',
    ...methods.flatMap((method) => ['', ...operationLines(method)]),
    '',
  ].join('\n')
}

function operationLines(method: ClientMethod): readonly string[] {
  const { operation, constant, result, statuses } = method
  const flags = [
    ...(method.server === 'base' ? [] : [`server=${literal(method.server)}`]),
    ...(method.needsToken ? [] : ['needs_token=False']),
    ...(method.isIdempotent ? ['accepts_key=True'] : []),
    ...(method.isForm ? ['is_form=True'] : []),
  ]
  return exploded(
    `${constant}: Final = Operation[${qualified(result)}](`,
    [
      `id=${literal(operation.operationId)}`,
      `method=${literal(operation.method)}`,
      `path=${literal(operation.path)}`,
      `statuses=(${statuses.join(', ')}${statuses.length === 1 ? ',' : ''})`,
      `answer=${qualified(result)}`,
      ...flags,
    ],
    ')',
  )
}

/** Names of models with their module. */
export function qualified(type: string): string {
  return type.replaceAll(/\b[A-Z]\w+\b/g, (name) => (OWN_NAMES.has(name) ? name : `models.${name}`))
}

/** Names in types that are not models. */
const OWN_NAMES = new Set(['None', 'PsuSession', 'AwareDatetime', 'Literal', 'Amount'])
