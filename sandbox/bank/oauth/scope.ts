/** What a grant is for: one payment, consent or basket that is signed on the way, or services that somebody logs in for. */
import { isId } from '../../../gateway/platform/ids.ts'
import type { BankProfile } from '../fixture.ts'

export type Service = 'AIS' | 'PIS'

export type Scope =
  | { readonly type: 'resource'; readonly service: Service; readonly id: string }
  | { readonly type: 'services'; readonly services: readonly Service[] }

const RESOURCE = /^(AIS|PIS):(.+)$/

/** Reads a scope that the bank gives: of a resource where it signs by grants, of services where one logs in beforehand. */
export function parseScope({ oauth }: BankProfile, text: string): Scope | undefined {
  return oauth === 'integrated' ? resourceScope(text) : servicesScope(text)
}

/** The scope of a resource, as it is written. */
export function scopeOf(service: Service, id: string): string {
  return `${service}:${id}`
}

/** The services that a bank's metadata names. */
export const SERVICES: readonly Service[] = ['AIS', 'PIS']

function resourceScope(text: string): Scope | undefined {
  const [, service, id = ''] = RESOURCE.exec(text) ?? []
  return service !== undefined && isId(id)
    ? { type: 'resource', service: service === 'AIS' ? 'AIS' : 'PIS', id: id.toLowerCase() }
    : undefined
}

function servicesScope(text: string): Scope | undefined {
  const words = text.split(' ').filter((word) => word !== '')
  const services = SERVICES.filter((service) => words.includes(service))
  const isWhole = words.length > 0 && words.length === services.length
  return isWhole ? { type: 'services', services } : undefined
}

/** A scope as it is kept and told: in one spelling. */
export function printScope(scope: Scope): string {
  return scope.type === 'resource' ? scopeOf(scope.service, scope.id) : scope.services.join(' ')
}
