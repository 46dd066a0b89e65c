/** Reads Norwegian companies, their roles and signing rights from Norway's public registers. */
import type { BankResponse } from '../../banks/connector/connector-dependencies.ts'
import type { Clock } from '../../platform/clock.ts'
import { type CompanyRegistry, RegistryUnavailable } from '../company-registry.ts'
import type { RegisteredCompany } from '../registered-company.ts'
import type { RegistryClient } from '../registry-client.ts'
import { addressOf, dayOf, rolesOf, signingRightsOf } from './translate.ts'
import { type BrregEntity, type BrregRoles, type BrregSignature, readEntity, readRoles, readSignature } from './wire.ts'

const ADDRESS = 'https://data.brreg.no'
/** Each service is called with the media type of the version that is parsed here. */
const ENTITY = 'application/vnd.brreg.enhetsregisteret.enhet.v2+json'
const ROLES = 'application/vnd.brreg.enhetsregisteret.rolle.v1+json'
const SIGNATURE = 'application/vnd.brreg.enhetsregisteret.fullmakt.oppslag.v1+json'
const OK = 200
/** Never assigned, or removed from the public register. */
const NOT_FOUND_STATUSES: readonly number[] = [404, 410]
/** The service of signing rights does not know the company, or does not support its form. */
const NO_SIGNING_RIGHTS_STATUSES: readonly number[] = [400, 404, 410, 422]

type Dependencies = {
  readonly client: RegistryClient
  readonly clock: Pick<Clock, 'real'>
  readonly address?: string
}

/** Opens the registry without calling it. */
export function openBrregRegistry({ client, clock, address = ADDRESS }: Dependencies): CompanyRegistry {
  const read = (operation: string, path: string, accept: string) =>
    client.get({ registry: 'brreg', operation, url: `${address}${path}`, accept })
  return {
    find: async (countryCode, organisationNumber) => {
      if (countryCode !== 'NO' || !/^\d{9}$/.test(organisationNumber)) {
        return null
      }
      const path = `/enheter/${organisationNumber}`
      const entity = entityIn(await read('readCompany', `/enhetsregisteret/api${path}`, ENTITY), organisationNumber)
      if (entity === null || entity.slettedato !== undefined) {
        return entity === null ? null : { ...companyFieldsOf(entity, clock), roles: [], signingRights: null }
      }
      const [rolesAnswer, signatureAnswer] = await Promise.all([
        read('readRoles', `/enhetsregisteret/api${path}/roller`, ROLES),
        read('readSigningRights', `/fullmakt${path}/signatur`, SIGNATURE),
      ])
      const roles = rolesOf(rolesIn(rolesAnswer))
      const signature = signatureIn(signatureAnswer, organisationNumber)
      return {
        ...companyFieldsOf(entity, clock),
        roles,
        signingRights: signature === null ? null : signingRightsOf(signature, roles),
      }
    },
  }
}

function companyFieldsOf(
  entity: BrregEntity,
  clock: Pick<Clock, 'real'>,
): Omit<RegisteredCompany, 'roles' | 'signingRights'> {
  const { underAvvikling, underTvangsavviklingEllerTvangsopplosning: byForce } = entity
  return {
    countryCode: 'NO',
    organisationNumber: entity.organisasjonsnummer,
    name: entity.navn,
    organisationForm: entity.organisasjonsform?.kode ?? '',
    address: addressOf(entity),
    isActive: entity.slettedato === undefined,
    // Here, or by proceedings abroad.
    isBankrupt: entity.konkurs === true || entity.underUtenlandskInsolvensbehandlingDato !== undefined,
    isInLiquidation: underAvvikling === true || byForce === true,
    // The register of beneficial owners is only open to obliged entities, by agreement.
    beneficialOwners: null,
    registeredAt: dayOf(entity.registreringsdatoEnhetsregisteret) ?? null,
    source: 'brreg',
    readAt: clock.real().toString(),
  }
}

function entityIn(response: BankResponse, organisationNumber: string): BrregEntity | null {
  if (NOT_FOUND_STATUSES.includes(response.status)) {
    return null
  }
  const entity = response.status === OK ? readEntity(response.body) : undefined
  if (entity === undefined || entity.organisasjonsnummer !== organisationNumber) {
    throw unreadable('company', response)
  }
  return entity
}

/** For a company without roles, the register returns an empty list or 404. */
function rolesIn(response: BankResponse): BrregRoles {
  const roles = response.status === OK ? readRoles(response.body) : undefined
  if (roles === undefined && !NOT_FOUND_STATUSES.includes(response.status)) {
    throw unreadable('roles', response)
  }
  return roles ?? {}
}

function signatureIn(response: BankResponse, organisationNumber: string): BrregSignature | null {
  if (NO_SIGNING_RIGHTS_STATUSES.includes(response.status)) {
    return null
  }
  const signature = response.status === OK ? readSignature(response.body) : undefined
  if (signature === undefined || signature.enhet.organisasjonsnummer !== organisationNumber) {
    throw unreadable('signing rights', response)
  }
  return signature
}

/** The body is not reported, because it names persons. */
function unreadable(what: string, { status }: BankResponse): RegistryUnavailable {
  return new RegistryUnavailable(`The registry returned status ${status} without readable ${what}`)
}
