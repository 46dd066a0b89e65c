/** Checks that the file of a certificate has its chain, in order, up to an issuer that is known. */
import { X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { certificateLabel, type TppCertificate } from '../../../gateway/banks/certificates/tpp-certificate.ts'
import { checksOf, type Finding, findingsOf } from '../check.ts'
import { certificateSetting } from './identity-findings.ts'

const { error, warning } = checksOf('operating/certificates.md#certificates-for-banks')
const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

export const CHAIN_CHECKS = {
  'certificate-chain-incomplete': warning('the file of a certificate lacks intermediate certificates'),
  'certificate-chain-order': error('the file of a certificate has certificates in the wrong order, or unrelated ones'),
  'certificate-chain-expired': error('an intermediate certificate has expired'),
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
