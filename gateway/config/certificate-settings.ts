/** Reads the settings of our certificates at banks. */
import type { CertificateSource, environmentReader } from './environment-reader.ts'

/** Our certificates at banks, and the CAs trusted for banks. */
export type CertificateSettings = {
  /** The client certificate for connections to banks; null connects without one. */
  readonly qwac: CertificateSource | null
  /** The certificate that signs messages to banks; null leaves them unsigned. */
  readonly qseal: CertificateSource | null
  /** A folder with named pairs of both, one of which may be chosen for a bank; null for none. */
  readonly certificatesFolder: string | null
  /** From so many days before the expiry of a certificate on, operators are warned. */
  readonly certificateWarningDays: number
  /** CA certificates (PEM) trusted for banks' servers in addition to the system's; null for none. */
  readonly bankCaFile: string | null
}

type PemVariables = readonly [file: string, text: string]
type CertificateVariables = { readonly certificate: PemVariables; readonly key: PemVariables }
/** The names of the variables. */
type Variables = Readonly<Record<'qwac' | 'qseal', CertificateVariables>> &
  Readonly<Record<'folder' | 'warningDays' | 'bankCaFile', string>>

/** A qualified certificate is valid for two years at most. */
const WARNING_DAYS_RANGE = [1, 730] as const
const WARNING_DAYS_DEFAULT = 30

export function certificateSettings(
  read: ReturnType<typeof environmentReader>,
  { qwac, qseal, folder, warningDays, bankCaFile }: Variables,
): CertificateSettings {
  return {
    qwac: read.certificate('QWAC', qwac),
    qseal: read.certificate('QSEAL', qseal),
    certificatesFolder: read.text(folder, '') || null,
    certificateWarningDays: read.integer(warningDays, WARNING_DAYS_DEFAULT, WARNING_DAYS_RANGE),
    bankCaFile: read.text(bankCaFile, '') || null,
  }
}
