/** Norway's registers: the Central Coordinating Register tells of a company and its roles, its service of who may sign. */
import type { BankResponse } from '../../banks/connector/connector-dependencies.ts'
import type { Clock } from '../../platform/clock.ts'
import { type CompanyRegistry, RegistryUnavailable } from '../company-registry.ts'
import type { RegisteredCompany } from '../registered-company.ts'
import type { RegistryLine } from '../registry-client.ts'
import { addressOf, dayOf, rolesOf, signingRightsOf } from './translate.ts'
import { type BrregEntity, type BrregRoles, type BrregSignature, readEntity, readRoles, readSignature } from './wire.ts'

const ADDRESS = 'https://data.brreg.no'
/** Each service is asked for the version that is parsed here. */
const ENTITY = 'application/vnd.brreg.enhetsregisteret.enhet.v2+json'
const ROLES = 'application/vnd.brreg.enhetsregisteret.rolle.v1+json'
const SIGNATURE = 'application/vnd.brreg.enhetsregisteret.fullmakt.oppslag.v1+json'
const OK = 200
/** Never given, or taken out of what is public. */
const NOT_THERE: readonly number[] = [404, 410]
/** The service of signing rights does not know the company, or not what to do with its form. */
const NOT_TOLD: readonly number[] = [400, 404, 410, 422]

type Surroundings = {
  readonly line: RegistryLine
  readonly clock: Pick<Clock, 'real'>
  readonly address?: string
}

/** Opens it; nothing is asked yet. */
export function openBrregRegistry({ line, clock, address = ADDRESS }: Surroundings): CompanyRegistry {
  const ask = (operation: string, path: string, accept: string) =>
    line.get({ registry: 'brreg', operation, url: `${address}${path}`, accept })
  return {
    find: async (countryCode, organisationNumber) => {
      if (countryCode !== 'NO' || !/^\d{9}$/.test(organisationNumber)) {
        return null
      }
      const path = `/enheter/${organisationNumber}`
      const entity = entityIn(await ask('readCompany', `/enhetsregisteret/api${path}`, ENTITY), organisationNumber)
      if (entity === null || entity.slettedato !== undefined) {
        return entity === null ? null : { ...nounOf(entity, clock), roles: [], signingRights: null }
      }
      const [rolesAnswer, signatureAnswer] = await Promise.all([
        ask('readRoles', `/enhetsregisteret/api${path}/roller`, ROLES),
        ask('readSigningRights', `/fullmakt${path}/signatur`, SIGNATURE),
      ])
      const roles = rolesOf(rolesIn(rolesAnswer))
      const signature = signatureIn(signatureAnswer, organisationNumber)
      return {
        ...nounOf(entity, clock),
        roles,
        signingRights: signature === null ? null : signingRightsOf(signature, roles),
      }
    },
  }
}

function nounOf(entity: BrregEntity, clock: Pick<Clock, 'real'>): Omit<RegisteredCompany, 'roles' | 'signingRights'> {
  const { underAvvikling, underTvangsavviklingEllerTvangsopplosning: byForce } = entity
  return {
    countryCode: 'NO',
    organisationNumber: entity.organisasjonsnummer,
    name: entity.navn,
    organisationForm: entity.organisasjonsform?.kode ?? '',
    address: addressOf(entity),
    isActive: entity.slettedato === undefined,
    isBankrupt: entity.konkurs === true,
    isInLiquidation: underAvvikling === true || byForce === true,
    // The register of beneficial owners is open to those only who must know their customers, by an agreement.
    beneficialOwners: null,
    registeredAt: dayOf(entity.registreringsdatoEnhetsregisteret) ?? null,
    source: 'brreg',
    readAt: clock.real().toString(),
  }
}

function entityIn(response: BankResponse, organisationNumber: string): BrregEntity | null {
  if (NOT_THERE.includes(response.status)) {
    return null
  }
  const entity = response.status === OK ? readEntity(response.body) : undefined
  if (entity === undefined || entity.organisasjonsnummer !== organisationNumber) {
    throw unreadable('company', response)
  }
  return entity
}

/** A company without roles is answered with none, or not at all. */
function rolesIn(response: BankResponse): BrregRoles {
  const roles = response.status === OK ? readRoles(response.body) : undefined
  if (roles === undefined && !NOT_THERE.includes(response.status)) {
    throw unreadable('roles', response)
  }
  return roles ?? {}
}

function signatureIn(response: BankResponse, organisationNumber: string): BrregSignature | null {
  if (NOT_TOLD.includes(response.status)) {
    return null
  }
  const signature = response.status === OK ? readSignature(response.body) : undefined
  if (signature === undefined || signature.enhet.organisasjonsnummer !== organisationNumber) {
    throw unreadable('signing rights', response)
  }
  return signature
}

/** Says nothing of the body, which names people. */
function unreadable(what: string, { status }: BankResponse): RegistryUnavailable {
  return new RegistryUnavailable(`The registry answered ${status}, and nothing that could be read as the ${what}`)
}
