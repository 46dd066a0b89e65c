/** Validates callback origins of partners: https origins, or schemes of desktop and mobile applications. */

import { writeAuditEntry } from '../operators/audit-log.ts'
import type { Partner } from '../partners/partner.ts'
import { updateCallbackOrigins } from '../partners/partner-store.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { isLoopback } from '../platform/http/ip-address.ts'
import type { ProgramContext } from '../platform/program-context.ts'

/** Browsers execute these URLs, or read data with them, instead of leaving the page. */
const FORBIDDEN_SCHEMES: readonly string[] = [
  'javascript:',
  'data:',
  'file:',
  'vbscript:',
  'blob:',
  'filesystem:',
  'about:',
  'view-source:',
]
const SCHEME = /^[a-z][a-z0-9+.-]*:$/

/** What a URL is registered by: its origin, or its scheme if it has none. */
export function originOrSchemeOf(url: URL): string {
  return isHttpScheme(url.protocol) ? url.origin : url.protocol
}

export function isHttpScheme(scheme: string): boolean {
  return scheme === 'http:' || scheme === 'https:'
}

export function isForbiddenScheme(scheme: string): boolean {
  return FORBIDDEN_SCHEMES.includes(scheme)
}

/** Normalises an origin or scheme for registration. Throws an error that says what is wrong with it. */
export function parseCallbackOrigin(text: string): string {
  const scheme = text.toLowerCase().replace(/(?<!\/)\/+$/, '')
  if (SCHEME.test(scheme) && !isHttpScheme(scheme)) {
    if (isForbiddenScheme(scheme)) {
      throw apiError('bad-request', `The scheme ${scheme} cannot be registered: browsers execute or read such URLs`)
    }
    return scheme
  }
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isOrigin = url !== undefined && isHttpScheme(url.protocol) && url.href === `${url.origin}/`
  if (!isOrigin) {
    throw apiError(
      'bad-request',
      `${text} is neither an origin, such as https://erp.example, nor a scheme, such as myerp:`,
    )
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw apiError('bad-request', `${text} must be https; http is allowed for loopback addresses only`)
  }
  return url.origin
}

/** Returns the normalised origins. Throws for an invalid one. */
export async function replaceCallbackOrigins(
  context: ProgramContext,
  actor: string,
  { id }: Pick<Partner, 'id'>,
  origins: readonly string[],
): Promise<readonly string[]> {
  const registered = [...new Set(origins.map(parseCallbackOrigin))]
  await inTransaction(context, async (context) => {
    await updateCallbackOrigins(context.database, id, registered)
    const action = `callback origins replaced: ${registered.join(', ')}`
    await writeAuditEntry(context, { partnerId: id, actor, action, subject: ['partner', id] })
  })
  return registered
}
