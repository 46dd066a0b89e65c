/** Reads Norwegian companies, their roles and signing rights from Norway's public registers. */
import type { BankResponse } from '../../banks/connector/connector-dependencies.ts'
import type { Clock } from '../../platform/clock.ts'
import { type CompanyRegistry, RegistryUnavailable } from '../company-registry.ts'
import type { RegisteredCompany } from '../registered-company.ts'
import type { RegistryClient } from '../registry-client.ts'
import { addressOf, dayOf, rolesOf, signingRightsOf } from './translate.ts'
import { type BrregEntity, readEntity, readRoles, readSignature } from './wire.ts'

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
      const entity = parsed('company', await read('readCompany', `/enhetsregisteret/api${path}`, ENTITY), readEntity, {
        absent: NOT_FOUND_STATUSES,
        isExpected: ({ organisasjonsnummer }) => organisasjonsnummer === organisationNumber,
      })
      if (entity === null || entity.slettedato !== undefined) {
        return entity === null ? null : { ...companyFieldsOf(entity, clock), roles: [], signingRights: null }
      }
      const [rolesAnswer, signatureAnswer] = await Promise.all([
        read('readRoles', `/enhetsregisteret/api${path}/roller`, ROLES),
        read('readSigningRights', `/fullmakt${path}/signatur`, SIGNATURE),
      ])
      // For a company without roles, the register returns an empty list or 404.
      const roles = rolesOf(parsed('roles', rolesAnswer, readRoles, { absent: NOT_FOUND_STATUSES }) ?? {})
      const signature = parsed('signing rights', signatureAnswer, readSignature, {
        absent: NO_SIGNING_RIGHTS_STATUSES,
        isExpected: ({ enhet }) => enhet.organisasjonsnummer === organisationNumber,
      })
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
    isInReconstruction: entity.underRekonstruksjonsforhandlingDato !== undefined,
    // The register of beneficial owners is only open to obliged entities, by agreement.
    beneficialOwners: null,
    registeredAt: dayOf(entity.registreringsdatoEnhetsregisteret) ?? null,
    source: 'brreg',
    readAt: clock.real().toString(),
  }
}

/** The parsed response; null where its status says that there is nothing. Throws where it is of no or another company. */
function parsed<Shape>(
  what: string,
  response: BankResponse,
  read: (body: string) => Shape | undefined,
  { absent, isExpected = () => true }: { absent: readonly number[]; isExpected?: (shape: Shape) => boolean },
): Shape | null {
  if (absent.includes(response.status)) {
    return null
  }
  const shape = response.status === OK ? read(response.body) : undefined
  if (shape === undefined || !isExpected(shape)) {
    // The body is not reported, because it names persons.
    throw new RegistryUnavailable(`The registry returned status ${response.status} without readable ${what}`)
  }
  return shape
}
