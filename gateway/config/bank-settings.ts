/** Lists the settings of connections to banks: our certificates and address, SFTP, and the operator's bank profiles. */
import { isIP } from 'node:net'
import { isPublicAddress } from '../platform/http/ip-address.ts'
import {
  combined,
  fileOrText,
  integer,
  optional,
  type PemSource,
  type Setting,
  type SettingSource,
  type ValuesOf,
} from '../platform/setting.ts'

/** A certificate and its key, each in PEM. */
export type CertificateSource = { readonly certificate: PemSource; readonly key: PemSource }

/** With 0 every outcome would be unknown; above 45 s the calls of one request could outlast its idempotency key. */
const BANK_TIMEOUT_RANGE = [1, 45] as const
/** A qualified certificate is valid for two years at most. */
const WARNING_DAYS_RANGE = [1, 730] as const

/** Our certificates at banks, and the CAs trusted for banks. */
export const CERTIFICATE_SETTINGS = {
  /** The client certificate for connections to banks; null connects without one. */
  qwac: certificate('QWAC', 'TLS client certificate for connections to banks (PEM); read again when the file changes'),
  /** The certificate that signs messages to banks; null leaves them unsigned. */
  qseal: certificate(
    'QSEAL',
    'certificate of the key that signs requests to banks (PEM, RSA); read again when the file changes',
  ),
  certificatesFolder: optional(
    'HAVN_CERTIFICATES_DIR',
    'folder with named pairs, `<name>.qwac.pem`, `.qwac.key`, `.qseal.pem` and `.qseal.key`, one of which may be chosen for a bank; read again when files change',
  ),
  certificateWarningDays: integer(
    'HAVN_CERTIFICATE_WARNING_DAYS',
    30,
    'from so many days before the expiry of one of these certificates on, operators are warned, 1 to 730',
    WARNING_DAYS_RANGE,
  ),
  bankCaFile: optional(
    'HAVN_BANK_CA_FILE',
    "PEM file of certificate authorities that are trusted for banks' servers, in addition to the public ones",
    'public',
  ),
}
export type CertificateSettings = ValuesOf<typeof CERTIFICATE_SETTINGS>

export const bankProfilesFolder = optional(
  'HAVN_BANK_PROFILES_DIR',
  'folder of your own bank profiles, read again when a file changes; see [operating.md](operating.md)',
)

export const BANK_SETTINGS = {
  /** The address from which banks see our calls; null where it is not needed. */
  tppIpAddress: {
    variables: [
      {
        name: 'HAVN_TPP_IP_ADDRESS',
        byDefault: '`127.0.0.1`',
        meaning:
          'IP address from which banks see calls of the worker (behind NAT, the address of the NAT gateway; banks that go by the standard take IPv4 only). Workers send it as `PSU-IP-Address` with orders that they submit while no user is present. In production there is no default: a worker requires a public address',
      },
    ],
    read: readTppIpAddress,
  },
  bankAnswerTimeoutSeconds: integer(
    'HAVN_BANK_ANSWER_TIMEOUT_SECONDS',
    30,
    '1 to 45; after this long without a response from the bank the outcome of an order is unknown',
    BANK_TIMEOUT_RANGE,
  ),
  ...CERTIFICATE_SETTINGS,
  bankProfilesFolder,
  /** Our key for banks' SFTP servers, and the file of their host keys; null for none. */
  sftp: combined(
    {
      keyFile: optional(
        'HAVN_SFTP_KEY_FILE',
        "private key (OpenSSH or PEM, no passphrase) for banks' SFTP servers; read for each connection",
        'secret',
      ),
      knownHostsFile: optional(
        'HAVN_SFTP_KNOWN_HOSTS_FILE',
        "host keys of these servers in OpenSSH's `known_hosts` format, with patterns, `!`, hashed names and `@revoked`",
        'public',
      ),
    },
    ({ keyFile, knownHostsFile }, { reject }) => {
      if ((keyFile === null) !== (knownHostsFile === null)) {
        reject('HAVN_SFTP_KEY_FILE and HAVN_SFTP_KNOWN_HOSTS_FILE must be set together')
      }
      return keyFile === null || knownHostsFile === null ? null : { keyFile, knownHostsFile }
    },
  ),
}

function certificate(use: 'QWAC' | 'QSEAL', meaning: string): Setting<CertificateSource | null> {
  const [ofCertificate, ofKey] = [`HAVN_${use}_CERTIFICATE`, `HAVN_${use}_KEY`]
  const parts = {
    certificate: fileOrText(ofCertificate, 'public', [meaning, 'the certificate itself instead of a file']),
    key: fileOrText(ofKey, 'secret', ['its private key, unencrypted', 'its private key itself instead of a file']),
  }
  return combined(parts, ({ certificate: given, key }, { reject }) => {
    if ((given === null) !== (key === null)) {
      const missing = given === null ? ofCertificate : ofKey
      reject(`The ${use} needs a certificate and a key: ${missing}_FILE or ${missing} is missing`)
    }
    return given === null || key === null ? null : { certificate: given, key }
  })
}

function readTppIpAddress({ given, mode, role, reject }: SettingSource): string | null {
  const address = given('HAVN_TPP_IP_ADDRESS')
  if (address === undefined) {
    // Only workers submit orders while the user is away.
    if (mode === 'production' && role === 'worker') {
      reject('HAVN_TPP_IP_ADDRESS is missing: the public IP address from which banks see calls of this worker')
    }
    return mode === 'sandbox' ? '127.0.0.1' : null
  }
  if (isIP(address) === 0) {
    reject(`HAVN_TPP_IP_ADDRESS must be an IP address, not "${address}"`)
  } else if (mode === 'production' && !isPublicAddress(address)) {
    reject(`HAVN_TPP_IP_ADDRESS must be a public IP address in production, not "${address}"`)
  }
  return address
}
