/** Renders the case file of an onboarding for operators: what the company entered, its registry, signers and documents. */
import { html } from 'ghtml'
import type { CaseFile } from '../../gateway/onboarding/open-case-file.ts'
import { hasLink, type Signer } from '../../gateway/onboarding/store/onboarding-signer.ts'
import type { RegisteredCompany } from '../../gateway/registries/registered-company.ts'
import { fullName } from '../../gateway/registries/registered-person.ts'
import type { SigningRule } from '../../gateway/registries/signing-rights.ts'
import { type Columns, dataTable, factList } from '../markup/data-table.ts'
import { formatCount } from '../markup/format-money.ts'
import { formatDay, timeMarkup } from '../markup/format-time.ts'
import { statusMarkup } from '../markup/status.ts'
import { consoleText } from '../texts/console-texts.ts'

const BYTES_PER_KILOBYTE = 1_000

/** National ids are not shown: no one needs them for a review. */
export function caseFileMarkup(caseFile: CaseFile, path: string): string {
  return [
    companyOf(caseFile),
    ownersOf(caseFile),
    signersOf(caseFile),
    documentsOf(caseFile, path),
    registryOf(caseFile.answers.registered),
  ].join('\n')
}

const day = (text: string) => html`${formatDay(Temporal.PlainDate.from(text))}`

function companyOf({ answers: { sections } }: CaseFile): string {
  const { CompanyDetails: details, Terms: terms } = sections
  return html`<h2>${consoleText('caseFile.company')}</h2>
!${
    details === undefined && terms === undefined
      ? html`<p class="empty">${consoleText('caseFile.nothingEntered')}</p>`
      : factList({
          'caseFile.name': details && html`${details.name}`,
          'caseFile.address': details && html`${Object.values(details.address).join(', ')}`,
          'caseFile.email': details && html`${details.email}`,
          'caseFile.phone': details && html`${details.phone}`,
          'caseFile.terms': terms && html`${terms.version}, !${timeMarkup(Temporal.Instant.from(terms.at))}`,
        })
  }`
}

function ownersOf({ answers: { sections } }: CaseFile): string {
  const owners = sections.BeneficialOwners
  const emptyText =
    owners?.nobodyOwnsMoreThanAQuarter === true
      ? consoleText('caseFile.noOwners')
      : consoleText('caseFile.nothingEntered')
  return html`<h2>${consoleText('caseFile.owners')}</h2>
!${dataTable(
    owners?.owners ?? [],
    {
      'caseFile.name': ({ name }) => html`${name}`,
      'caseFile.born': ({ birthDate }) => day(birthDate),
      'caseFile.nationality': ({ nationality }) => html`${nationality}`,
      'caseFile.country': ({ country }) => html`${country}`,
      'caseFile.share': ({ ownershipPercent: share }) => html`${String(share).replace('.', ',')}\u00a0%`,
      'caseFile.exposed': (owner) => html`${consoleText(owner.isPoliticallyExposed ? 'caseFile.yes' : 'caseFile.no')}`,
    },
    emptyText,
  )}`
}

const SIGNER_COLUMNS: Columns<Signer> = {
  'caseFile.name': ({ name }) => html`${name}`,
  'caseFile.born': ({ birthDate }) => day(birthDate),
  'caseFile.role': ({ role }) => html`${role ?? ''}`,
  'caseFile.status': ({ status, signedAt }) =>
    html`!${statusMarkup(status)} !${signedAt === null ? '' : timeMarkup(signedAt)}`,
  'caseFile.identified': identifiedOf,
  'caseFile.link': (signer) => html`${consoleText(hasLink(signer) ? 'caseFile.linkWorks' : 'caseFile.noLink')}`,
}

function signersOf({ signers }: CaseFile): string {
  return html`<h2>${consoleText('caseFile.signers')}</h2>
!${dataTable(signers, SIGNER_COLUMNS, consoleText('caseFile.noSigners'))}`
}

/** The person by the identity provider, to compare with the one that the company named. */
function identifiedOf({ identified }: Signer): string {
  if (identified === null) {
    return ''
  }
  const { name, birthDate, country, levelOfAssurance } = identified
  return html`${fullName(name)}, !${day(birthDate)}, ${country} <span class="quiet">${levelOfAssurance}</span>`
}

function documentsOf({ documentRequest, onboarding, documents }: CaseFile, path: string): string {
  const { documentsRequestedAt: at } = onboarding
  const request =
    documentRequest === null || at === null
      ? ''
      : factList({ 'caseFile.requested': html`${documentRequest} (!${timeMarkup(at)})` })
  const columns: Columns<CaseFile['documents'][number]> = {
    'caseFile.name': ({ id, name }) => html`<a href="${path}/documents/${id}" download>${name}</a>`,
    'caseFile.type': ({ mediaType }) => html`${mediaType}`,
    'caseFile.size': ({ bytes }) => html`${formatCount(Math.ceil(bytes / BYTES_PER_KILOBYTE))} kB`,
    'caseFile.uploaded': ({ uploadedAt }) => timeMarkup(uploadedAt),
  }
  return html`<h2>${consoleText('caseFile.documents')}</h2>
!${request}
!${documents.length === 0 ? '' : html`<p>${consoleText('caseFile.recorded')}</p>`}
!${dataTable(documents, columns, consoleText('caseFile.noDocuments'))}`
}

function registryOf(registered: RegisteredCompany | null): string {
  const title = html`<h2>${consoleText('caseFile.registry')}</h2>`
  if (registered === null) {
    return html`!${title}<p class="empty">${consoleText('caseFile.noRegistry')}</p>`
  }
  const { address, signingRights, registeredAt, roles } = registered
  const flags = (['isActive', 'isBankrupt', 'isInLiquidation', 'isInReconstruction'] as const).filter(
    (flag) => registered[flag],
  )
  const facts = factList({
    'caseFile.source': html`${registered.source}, !${timeMarkup(Temporal.Instant.from(registered.readAt))}`,
    'caseFile.name': html`${registered.name}`,
    'caseFile.form': html`${registered.organisationForm}`,
    'caseFile.state': html`${flags.map((flag) => consoleText(`caseFile.flags.${flag}`)).join(', ')}`,
    'caseFile.registeredAt': registeredAt && day(registeredAt),
    'caseFile.address': address && html`${Object.values(address).join(', ')}`,
    'caseFile.signingRights': html`${signingRights === null ? consoleText('caseFile.noSigningRights') : signingRights.map(signingRuleText).join('; ')}`,
  })
  const columns: Columns<RegisteredCompany['roles'][number]> = {
    'caseFile.name': ({ person }) => html`${fullName(person.name)}`,
    'caseFile.born': ({ person }) => day(person.birthDate),
    'caseFile.role': ({ role }) => html`${role}`,
  }
  return html`!${title}!${facts}
!${dataTable(roles, columns, consoleText('caseFile.noRoles'))}`
}

/** `1 chair + 2 board-member/chair`, or the names of the persons. */
function signingRuleText(rule: SigningRule): string {
  return rule.kind === 'persons'
    ? rule.persons.map(({ name }) => fullName(name)).join(' + ')
    : rule.needs.map(({ roles, count }) => `${count} ${roles.join('/')}`).join(' + ')
}
