/** Reads the shell commands of a document as a reader of this gateway sees them. */
import { readFile } from 'node:fs/promises'
import { adaptDocument } from '../../../docs-site/guides/adapt-document.ts'
import type { TestGateway } from './test-gateway.ts'

/** A command, and the output that the document shows directly below it. */
export type DocumentedCommand = { readonly command: string; readonly expected: string | undefined }

/** Its commands come before those of every other guide, and of the reference. */
export const PREPARATION_GUIDE = 'guides/authentication.md'

const DOCUMENTS = new URL('../../../docs/', import.meta.url)
const COMMANDS = /^```sh\n(.*?)^```\n(?:\s*```text\n(.*?)^```)?/gms

/** What the documentation is adapted to. */
export const documentedPlace = ({ config }: Pick<TestGateway, 'config'>) => ({ ...config, demo: true })

export async function readDocument(gateway: Pick<TestGateway, 'config'>, file: string): Promise<string> {
  return adaptDocument(await readFile(new URL(file, DOCUMENTS), 'utf8'), documentedPlace(gateway))
}

export async function readCommands(
  gateway: Pick<TestGateway, 'config'>,
  file: string,
): Promise<readonly DocumentedCommand[]> {
  return [...(await readDocument(gateway, file)).matchAll(COMMANDS)].map(([, command = '', expected]) => ({
    command,
    expected: expected?.trim(),
  }))
}
