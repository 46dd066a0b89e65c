/** Checks our certificates for banks, which a gateway reads at its start and whenever they change. */
import { readFile } from 'node:fs/promises'
import {
  type CertificateUse,
  parseTppCertificate,
  type TppCertificate,
} from '../../../gateway/banks/certificates/tpp-certificate.ts'
import type { CertificateSource, PemSource } from '../../../gateway/config/environment-reader.ts'
import { type CheckGroup, type Finding, findingsOf, type Installation } from '../check.ts'
import { CHAIN_CHECKS, chainFindings } from './chain-findings.ts'
import { IDENTITY_CHECKS, identityFindings, validityFindings } from './identity-findings.ts'

const SEE = 'operating/certificates.md#certificates-for-banks'
const NOT_BELONGING = /does not belong/

export const certificatesGroup: CheckGroup = {
  title: 'Certificates for banks',
  isOnline: false,
  checks: {
    'certificate-missing': { level: 'warning', finds: 'production without QWAC or QSEAL', see: SEE },
    'certificate-invalid': {
      level: 'error',
      finds: 'a certificate or its key cannot be read: no PEM, encrypted, or QWAC and QSEAL exchanged',
      see: SEE,
    },
    'certificate-key-mismatch': { level: 'error', finds: 'a key does not belong to its certificate', see: SEE },
    ...IDENTITY_CHECKS,
    ...CHAIN_CHECKS,
  },
  inspect: inspectCertificates,
}

async function inspectCertificates({ config, host }: Installation): Promise<readonly Finding[]> {
  const [qwac, qseal] = await Promise.all([parsed('QWAC', config.qwac), parsed('QSEAL', config.qseal)])
  const certificates = [qwac, qseal].filter((one): one is TppCertificate => one !== null && !(one instanceof Error))
  const authorities = config.bankCaFile === null ? '' : await readFile(config.bankCaFile, 'utf8').catch(() => '')
  return [
    ...findingsOf('certificate-missing', config.mode === 'production' && (qwac === null || qseal === null), () => ({
      problem: `${[...(qwac === null ? ['QWAC'] : []), ...(qseal === null ? ['QSEAL'] : [])].join(' and ')} not configured: banks that require them reject every request`,
      where: qwac === null ? 'HAVN_QWAC_CERTIFICATE_FILE' : 'HAVN_QSEAL_CERTIFICATE_FILE',
      action: 'Set certificate and key; a trust service provider issues them to holders of a licence.',
    })),
    ...[qwac, qseal].flatMap((one, index) =>
      one instanceof Error ? [unusable(['QWAC', 'QSEAL'][index] ?? '', one)] : [],
    ),
    ...certificates.flatMap((one) => [
      ...validityFindings(one, host.real()),
      ...chainFindings(one, authorities, host.real()),
    ]),
    ...identityFindings(certificates, config.baseUrl),
  ]
}

/** Null where it is not configured or its file is missing, which is the finding of another check. */
async function parsed(use: CertificateUse, source: CertificateSource | null): Promise<TppCertificate | Error | null> {
  if (source === null) {
    return null
  }
  const [certificate, key] = await Promise.all([textOf(source.certificate), textOf(source.key)])
  try {
    return certificate === undefined || key === undefined ? null : parseTppCertificate(use, certificate, key)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function textOf(source: PemSource): Promise<string | undefined> {
  return 'file' in source ? await readFile(source.file, 'utf8').catch(() => undefined) : source.text
}

function unusable(use: string, { message }: Error): Finding {
  const isMismatch = NOT_BELONGING.test(message)
  return {
    check: isMismatch ? 'certificate-key-mismatch' : 'certificate-invalid',
    problem: message,
    where: `HAVN_${use}_CERTIFICATE_FILE`,
    action: isMismatch
      ? 'Install certificate and key of the same order. Compare: openssl x509 -noout -pubkey -in …, openssl pkey -pubout -in …'
      : `Set HAVN_${use}_CERTIFICATE_FILE to the ${use} in PEM, and HAVN_${use}_KEY_FILE to its unencrypted key.`,
  }
}
