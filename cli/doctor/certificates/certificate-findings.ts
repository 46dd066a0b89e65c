/** Checks validity, roles, licence and host of our certificates, and that their files have the chain up to a known issuer. */
import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { rootCertificates } from 'node:tls'
import {
  certificateLabel,
  type Psd2Role,
  type TppCertificate,
} from '../../../gateway/banks/certificates/tpp-certificate.ts'
import { checksOf, type Finding, findingsOf } from '../check.ts'

const { error, warning } = checksOf('operating/certificates.md#certificates-for-banks')
const ROLES: Readonly<Partial<Record<Psd2Role, string>>> = { PSP_PI: 'initiate payments', PSP_AI: 'read accounts' }
/** ETSI TS 119 495: the country, the authority, and the number there. */
const LICENCE = /^PSD[A-Z]{2}-[A-Z]{2,8}-.+$/

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

export const CERTIFICATE_CHECKS = {
  'certificate-expired': error('a certificate has expired'),
  'certificate-not-valid-yet': error('a certificate is not valid yet'),
  'certificate-expires-soon': warning('a certificate expires within HAVN_CERTIFICATE_WARNING_DAYS'),
  'certificate-roles': error('a certificate lacks the role PSP_PI or PSP_AI'),
  'certificate-licence': error('a certificate names no PSD2 licence'),
  'certificate-licences-differ': error('QWAC and QSEAL name different licences'),
  'certificate-host': warning('the QWAC does not name the host of the base URL, to which banks redirect users'),
  'certificate-chain-incomplete': warning('the file of a certificate lacks intermediate certificates'),
  'certificate-chain-order': error('the file of a certificate has certificates in the wrong order, or unrelated ones'),
  'certificate-chain-expired': error('an intermediate certificate has expired'),
}

/** The setting, and for a named pair the file, that a certificate is from. */
export function certificateSetting({ use, name }: Pick<TppCertificate, 'use' | 'name'>): string {
  return name === null ? `HAVN_${use}_CERTIFICATE_FILE` : `HAVN_CERTIFICATES_DIR (${name}.${use.toLowerCase()}.pem)`
}

export function validityFindings(own: TppCertificate, now: Temporal.Instant, warningDays: number): readonly Finding[] {
  const { notBefore, notAfter } = own
  const label = certificateLabel(own)
  const where = certificateSetting(own)
  const daysLeft = Math.floor(notAfter.since(now).total('hours') / 24)
  const isEarly = Temporal.Instant.compare(now, notBefore) < 0
  const isExpired = Temporal.Instant.compare(notAfter, now) <= 0
  return [
    ...findingsOf('certificate-expired', isExpired, () => ({
      problem: `The ${label} has expired at ${notAfter}: banks reject every request`,
      where,
      action: 'Install a new certificate with its key; processes use it within ten seconds.',
    })),
    ...findingsOf('certificate-not-valid-yet', isEarly, () => ({
      problem: `The ${label} is valid from ${notBefore} only`,
      where,
      action: 'Install the former certificate until then, or correct the clock of this host.',
    })),
    ...findingsOf('certificate-expires-soon', !isExpired && !isEarly && daysLeft < warningDays, () => ({
      problem: `The ${label} expires in ${daysLeft} days, at ${notAfter}`,
      where,
      action: 'Order a new certificate now: it takes weeks.',
    })),
  ]
}

export function identityFindings(certificates: readonly TppCertificate[], baseUrl: string): readonly Finding[] {
  const qwac = certificates.find(({ use }) => use === 'QWAC')
  const licences = certificates.flatMap(({ organizationIdentifier }) => organizationIdentifier ?? [])
  const host = URL.parse(baseUrl)?.hostname
  return [
    ...certificates.flatMap(licenceAndRoles),
    ...findingsOf('certificate-licences-differ', new Set(licences).size > 1, () => ({
      problem: `The QWAC names the licence ${licences[0]} and the QSEAL ${licences[1]}: banks reject one of them`,
      where: certificateSetting({ use: 'QSEAL', name: certificates[0]?.name ?? null }),
      action: 'Install two certificates of the same licence.',
    })),
    ...findingsOf('certificate-host', qwac !== undefined && host !== undefined && !namesHost(qwac, host), () => ({
      problem: `The QWAC does not name ${host}: banks may not send users back there`,
      where: certificateSetting({ use: 'QWAC', name: qwac?.name ?? null }),
      action: `Order a QWAC with ${host} in its subjectAltName, or serve HAVN_BASE_URL at a host that it names.`,
    })),
  ]
}

function licenceAndRoles(own: TppCertificate): readonly Finding[] {
  const { roles, organizationIdentifier } = own
  const label = certificateLabel(own)
  const where = certificateSetting(own)
  const missing = Object.entries(ROLES).filter(([role]) => !roles.some((own) => own === role))
  return [
    ...findingsOf('certificate-roles', missing.length > 0, () => ({
      problem: `The ${label} lacks ${missing.map(([role, meaning]) => `${role} (${meaning})`).join(' and ')}; it has ${roles.join(', ') || 'no role'}`,
      where,
      action: 'Order a certificate with the roles of your licence; the authority must have granted both.',
    })),
    ...findingsOf('certificate-licence', !LICENCE.test(organizationIdentifier ?? ''), () => ({
      problem: `The ${label} has ${organizationIdentifier === null ? 'no organizationIdentifier' : `the organizationIdentifier ${organizationIdentifier}`}, not one such as PSDNO-FSA-123456789`,
      where,
      action: 'Order a qualified certificate for PSD2 (ETSI TS 119 495); a certificate for websites does not do.',
    })),
  ]
}

function namesHost({ certificate }: TppCertificate, host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '')
  return (isIP(bare) === 0 ? certificate.checkHost(bare) : certificate.checkIP(bare)) !== undefined
}

/** `authorities`: the PEM of further CA certificates. */
export function chainFindings(own: TppCertificate, authorities: string, now: Temporal.Instant): readonly Finding[] {
  const where = certificateSetting(own)
  const label = certificateLabel(own)
  const chain = certificatesIn(own.certificatePem)
  const misplaced = chain.slice(1).find((issuer, index) => !issues(issuer, chain[index]))
  if (misplaced !== undefined) {
    return findingsOf('certificate-chain-order', true, () => ({
      problem: `In the file of the ${label}, ${nameOf(misplaced.subject)} does not issue the certificate before it`,
      where,
      action: 'Put our certificate first, then its issuer, then the issuer of that; remove all others.',
    }))
  }
  const last = chain.at(-1)
  const isComplete = last === undefined || issues(last, last) || isKnown(last, authorities)
  const expired = chain.slice(1).find(({ validToDate }) => validToDate.getTime() <= now.epochMilliseconds)
  return [
    ...findingsOf('certificate-chain-incomplete', !isComplete, () => ({
      problem: `The file of the ${label} ends with a certificate of ${nameOf(last?.issuer ?? '')}, which it does not contain: banks that do not have it cannot verify us`,
      where,
      action: 'Append the intermediate certificates of the trust service provider to the file.',
    })),
    ...findingsOf('certificate-chain-expired', expired !== undefined, () => ({
      problem: `The intermediate certificate ${nameOf(expired?.subject ?? '')} has expired`,
      where,
      action: 'Replace it by the current one of the trust service provider.',
    })),
  ]
}

function certificatesIn(pem: string): readonly X509Certificate[] {
  return [...pem.matchAll(PEM)].flatMap(([text]) => {
    try {
      return [new X509Certificate(text)]
    } catch {
      return []
    }
  })
}

function issues(issuer: X509Certificate, issued: X509Certificate | undefined): boolean {
  return issued?.checkIssued(issuer) === true
}

/** Compared by name first: to parse all roots takes a tenth of a second. */
function isKnown(last: X509Certificate, authorities: string): boolean {
  return [...certificatesIn(authorities), ...certificatesIn(rootCertificates.join('\n'))].some((root) =>
    issues(root, last),
  )
}

/** The common name, or everything. */
function nameOf(subject: string): string {
  return /^CN=(.+)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ')
}
