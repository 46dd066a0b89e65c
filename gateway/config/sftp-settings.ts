/** Reads how we connect to banks' SFTP servers. */
import type { environmentReader } from './environment-reader.ts'

/** Our key, and the file of the servers' host keys. */
export type SftpSettings = { readonly keyFile: string; readonly knownHostsFile: string }

/** Null when neither is set. */
export function readSftpSettings(
  read: ReturnType<typeof environmentReader>,
  [keyName, knownHostsName]: readonly [key: string, knownHosts: string],
  errors: string[],
): SftpSettings | null {
  const [keyFile, knownHostsFile] = [read.text(keyName, ''), read.text(knownHostsName, '')]
  if ((keyFile === '') !== (knownHostsFile === '')) {
    errors.push(`${keyName} and ${knownHostsName} must be set together`)
  }
  return keyFile === '' || knownHostsFile === '' ? null : { keyFile, knownHostsFile }
}
