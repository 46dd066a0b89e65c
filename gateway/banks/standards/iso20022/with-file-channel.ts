/** Opens the file channel for a bank's address: a directory (`file:`) or an SFTP folder (`sftp:`). */

import type { Bank } from '../../connector/bank.ts'
import { BankError } from '../../connector/bank-error.ts'
import type { ConnectorDependencies } from '../../connector/connector-dependencies.ts'
import { openDirectory } from './directory-channel.ts'
import type { FileChannel } from './file-channel.ts'
import { openSftp } from './sftp-channel.ts'

/** Runs `work` with a bank's channel, and closes the channel. */
export async function withFileChannel<Value>(
  { sftp }: Pick<ConnectorDependencies, 'sftp'>,
  { address }: Pick<Bank, 'address'>,
  work: (channel: FileChannel) => Promise<Value>,
): Promise<Value> {
  await using channel = await openChannel(address, sftp)
  return await work(channel)
}

/**
 * Whether an address is valid: `file:///folder` or `sftp://user@host/folder`. SFTP uses a key; a password would be
 * stored in the directory of banks.
 */
export function isFileUrl(address: string): boolean {
  const url = URL.parse(address)
  if (url === null || url.search !== '' || url.hash !== '' || url.password !== '' || address.endsWith('/')) {
    return false
  }
  try {
    // As when the channel is opened, where it would fail.
    decodeURIComponent(url.username + url.pathname)
  } catch {
    return false
  }
  const isDirectory = url.protocol === 'file:' && url.host === '' && url.pathname.length > 1 && !/%2f/i.test(address)
  return isDirectory || (url.protocol === 'sftp:' && url.hostname !== '' && url.username !== '')
}

async function openChannel(address: string, sftp: ConnectorDependencies['sftp']): Promise<FileChannel> {
  if (address.startsWith('file:')) {
    return await openDirectory(address)
  }
  const identity = await sftp()
  if (identity === null) {
    throw new BankError('misconfigured', 'No SFTP key is configured: set HAVN_SFTP_KEY_FILE')
  }
  return await openSftp(address, identity)
}
