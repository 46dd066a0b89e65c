/** Checks our certificates for banks, which a gateway reads at its start and whenever they change. */
import { readFile } from 'node:fs/promises'
import { listNamedPairs, type PairSource } from '../../../gateway/banks/certificates/certificate-files.ts'
import {
  type CertificateUse,
  ClientAuthenticationError,
  parseTppCertificate,
  type TppCertificate,
} from '../../../gateway/banks/certificates/tpp-certificate.ts'
import type { CertificateSource } from '../../../gateway/config/bank-settings.ts'
import type { PemSource } from '../../../gateway/platform/setting.ts'
import { type CheckGroup, checksOf, type Finding, findingsOf, type Installation } from '../check.ts'
import {
  CERTIFICATE_CHECKS,
  certificateSetting,
  chainFindings,
  identityFindings,
  validityFindings,
} from './certificate-findings.ts'

const { error, warning } = checksOf('operating/certificates.md#certificates-for-banks')
const NOT_BELONGING = /does not belong/

export const certificatesGroup: CheckGroup = {
  title: 'Certificates for banks',
  isOnline: false,
  checks: {
    'certificate-missing': warning('production without QWAC or QSEAL'),
    'certificate-invalid': error(
      'a certificate or its key cannot be read: no PEM, encrypted, or QWAC and QSEAL exchanged',
    ),
    'certificate-client-authentication': error(
      'the extended key usage of a QWAC lacks client authentication, so that no process starts',
    ),
    'certificate-key-mismatch': error('a key does not belong to its certificate'),
    ...CERTIFICATE_CHECKS,
  },
  inspect: inspectCertificates,
}

async function inspectCertificates(installation: Installation): Promise<readonly Finding[]> {
  const { config } = installation
  const { qwac, qseal, certificatesFolder: folder } = config
  const named = await listNamedPairs(folder).catch((error: Error) => error)
  const pairs = [{ name: null, qwac, qseal }, ...(named instanceof Error ? [] : named)]
  const ofPairs = await Promise.all(pairs.map(async (pair) => await pairFindings(installation, pair)))
  return [
    ...findingsOf('certificate-missing', config.mode === 'production' && (qwac === null || qseal === null), () => ({
      problem: `${[...(qwac === null ? ['QWAC'] : []), ...(qseal === null ? ['QSEAL'] : [])].join(' and ')} not configured: banks that require them reject every request`,
      where: qwac === null ? 'HAVN_QWAC_CERTIFICATE_FILE' : 'HAVN_QSEAL_CERTIFICATE_FILE',
      action: 'Set certificate and key; a trust service provider issues them to holders of a licence.',
    })),
    ...findingsOf('certificate-invalid', named instanceof Error, () => ({
      problem: `The folder of named certificates cannot be read: ${named instanceof Error ? named.message : ''}`,
      where: 'HAVN_CERTIFICATES_DIR',
      action: 'Create the folder, readable by Havn, or remove the setting.',
    })),
    ...ofPairs.flat(),
  ]
}

async function pairFindings({ config, host }: Installation, pair: PairSource): Promise<readonly Finding[]> {
  const { name } = pair
  const read = await Promise.all([parsed('QWAC', pair.qwac, name), parsed('QSEAL', pair.qseal, name)])
  const certificates = read.flatMap((one) => (one === null || one instanceof Error ? [] : [one]))
  const authorities = config.bankCaFile === null ? '' : await readFile(config.bankCaFile, 'utf8').catch(() => '')
  return [
    ...read.flatMap((one, index) =>
      one instanceof Error ? [unusable({ use: index === 0 ? 'QWAC' : 'QSEAL', name }, one)] : [],
    ),
    ...certificates.flatMap((one) => [
      ...validityFindings(one, host.real(), config.certificateWarningDays),
      ...chainFindings(one, authorities, host.real()),
    ]),
    ...identityFindings(certificates, config.baseUrl),
  ]
}

/** Null where it is not configured or a file of a setting is missing, which is the finding of another check. */
async function parsed(
  use: CertificateUse,
  source: CertificateSource | null,
  name: string | null,
): Promise<TppCertificate | Error | null> {
  if (source === null) {
    return null
  }
  const [certificate, key] = await Promise.all([textOf(source.certificate), textOf(source.key)])
  try {
    if (name !== null && (certificate === undefined || key === undefined)) {
      throw new Error(`The certificate of the ${use} ${name}, or its key, cannot be read`)
    }
    return certificate === undefined || key === undefined ? null : parseTppCertificate(use, certificate, key, name)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function textOf(source: PemSource): Promise<string | undefined> {
  return 'file' in source ? await readFile(source.file, 'utf8').catch(() => undefined) : source.text
}

function unusable(own: Pick<TppCertificate, 'use' | 'name'>, error: Error): Finding {
  const { message } = error
  const where = certificateSetting(own)
  if (error instanceof ClientAuthenticationError) {
    const action = 'Install a QWAC with client authentication; until then keep the former one, while it is valid.'
    return { check: 'certificate-client-authentication', problem: message, where, action }
  }
  const isMismatch = NOT_BELONGING.test(message)
  return {
    check: isMismatch ? 'certificate-key-mismatch' : 'certificate-invalid',
    problem: message,
    where,
    action: isMismatch
      ? 'Install certificate and key of the same order. Compare: openssl x509 -noout -pubkey -in …, openssl pkey -pubout -in …'
      : `Provide the ${own.use} in PEM, and its unencrypted key.`,
  }
}
