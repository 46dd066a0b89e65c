/** Runs the commands of every guide as pasted: each guide in a shell of its own, its links in a browser. */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adaptDocument } from '../../docs-site/guides/adapt-document.ts'
import { GUIDES } from '../../docs-site/guides/guide-list.ts'
import { visitBank } from '../testing/browser/bank-user.ts'
import { type DocumentationGateway, startDocumentationGateway } from '../testing/gateway/documentation-gateway.ts'
import { openDocumentationShell } from '../testing/gateway/documentation-shell.ts'

const DOCUMENTS = new URL('../../docs/', import.meta.url)
/** A command, and the output that the guide shows directly below it. */
const COMMANDS = /^```sh\n(.*?)^```\n(?:\s*```text\n(.*?)^```)?/gms
const LINK = /^Open: (http\S+)$/m
const PREPARATION = 'guides/authentication.md'

let running: DocumentationGateway
let preparation: readonly Command[]
beforeAll(async () => {
  running = await startDocumentationGateway()
  preparation = await commandsOf(PREPARATION)
})
afterAll(() => running.close())

type Command = { readonly command: string; readonly expected: string | undefined }

async function commandsOf(file: string): Promise<readonly Command[]> {
  const text = adaptDocument(await readFile(new URL(file, DOCUMENTS), 'utf8'), {
    ...running.gateway.config,
    demo: true,
  })
  return [...text.matchAll(COMMANDS)].map(([, command = '', expected]) => ({ command, expected: expected?.trim() }))
}

/** As a reader does, it follows the links that commands print. */
async function runAll(commands: readonly Command[]): Promise<void> {
  const shell = await openDocumentationShell()
  for (const { command, expected } of commands) {
    const printed = await shell.run(command)
    expect(printed, command).not.toMatch(/undefined|svcRequestId|\[object/)
    if (expected !== undefined) {
      expect(printed, command).toBe(expected)
    }
    const [, link] = LINK.exec(printed) ?? []
    if (link !== undefined) {
      expect((await visitBank(link)).searchParams.get('status'), command).toBe('success')
    }
  }
  await shell.close()
}

test('the commands of the guides do what the guides say', async () => {
  for (const { file } of GUIDES.filter((one) => one.file.startsWith('guides/'))) {
    await runAll([...preparation, ...(file === PREPARATION ? [] : await commandsOf(file))])
  }
})
