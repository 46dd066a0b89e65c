/** Opens the channel that a bank's address leads to: a directory (`file:`), or a server's folder (`sftp:`). */

import { BankRefusal } from '../../connector/bank-error.ts'
import type { ConnectorTools } from '../../connector/connector-dependencies.ts'
import type { Bank } from '../../directory/bank.ts'
import type { FileChannel } from '../../iso20022/file-channel.ts'
import { openDirectory } from './directory-channel.ts'
import { openSftp } from './sftp-channel.ts'

/** Does something over a bank's channel, and closes it. */
export async function overChannel<Value>(
  { sftp }: Pick<ConnectorTools, 'sftp'>,
  { address }: Pick<Bank, 'address'>,
  work: (channel: FileChannel) => Promise<Value>,
): Promise<Value> {
  const channel = await openChannel(address, sftp)
  try {
    return await work(channel)
  } finally {
    await channel.close()
  }
}

/**
 * Whether an address leads to files: `file:///folder`, or `sftp://user@host/folder`. What opens a server is a key, and
 * never a password that would lie in the directory of banks.
 */
export function isFileAddress(address: string): boolean {
  const url = URL.parse(address)
  if (url === null || url.search !== '' || url.hash !== '' || url.password !== '' || address.endsWith('/')) {
    return false
  }
  const isDirectory = url.protocol === 'file:' && url.host === '' && url.pathname.length > 1
  return isDirectory || (url.protocol === 'sftp:' && url.hostname !== '' && url.username !== '')
}

async function openChannel(address: string, sftp: ConnectorTools['sftp']): Promise<FileChannel> {
  if (address.startsWith('file:')) {
    return await openDirectory(address)
  }
  const identity = await sftp?.()
  if (identity == null) {
    throw new BankRefusal('misconfigured', 'There is no key for servers of files: set HAVN_SFTP_KEY_FILE')
  }
  return await openSftp(address, identity)
}
