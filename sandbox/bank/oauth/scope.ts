/** The scope of a grant: one payment, consent or basket, or the services of a login. */
import { isId } from '../../../gateway/platform/ids.ts'
import type { BankProfile } from '../fixture.ts'

export type Service = 'AIS' | 'PIS'

export type Scope =
  | { readonly type: 'resource'; readonly service: Service; readonly id: string }
  | { readonly type: 'services'; readonly services: readonly Service[] }

const RESOURCE = /^(AIS|PIS):(.+)$/

/** Parses a scope of the bank: of a resource where the SCA is a grant, of services where a login comes first. */
export function parseScope({ oauth }: BankProfile, text: string): Scope | undefined {
  return oauth === 'integrated' ? resourceScope(text) : servicesScope(text)
}

export function scopeOf(service: Service, id: string): string {
  return `${service}:${id}`
}

/** The services in a bank's metadata. */
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

/** Formats a scope in its canonical spelling. */
export function printScope(scope: Scope): string {
  return scope.type === 'resource' ? scopeOf(scope.service, scope.id) : scope.services.join(' ')
}
