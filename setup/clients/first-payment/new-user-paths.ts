/** Lists what a new user does in each language to pay a first invoice, beginning in an empty folder. */
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openDocumentationShell, shellBlocks } from '../../../gateway/testing/gateway/documentation-shell.ts'
import { buildPackage, packPackage } from '../../../sdk/build/build-package.ts'
import { ROOT } from '../../source-files.ts'
import type { ClientEnvironment } from '../client-step.ts'
import { createVenv, ensurePython } from '../ensure-programs.ts'
import { type ClientGenerator, createProject } from '../generators/generator-step.ts'
import { openApiGeneratorCSharp, openApiGeneratorJava, openApiGeneratorPhp } from '../generators/generators.ts'

/** What a new user does in one language. */
export type NewUserPath = {
  readonly language: string
  /** What exists before: packages that a registry would have. It is not measured. */
  prepare(environment: ClientEnvironment): Promise<void>
  /** Installs and pays; returns what was printed. */
  pay(environment: ClientEnvironment): Promise<string>
}

const GUIDES = join(ROOT, 'docs', 'guides')
const INSTALL = ['install', '--no-audit', '--no-fund', '--loglevel=error']
const DEMO_URL = 'http://127.0.0.1:8080'
const PRODUCTION = /<!-- production -->.*?<!-- end -->/gs
/** What the user does in the browser, in the commands of the guide. */
const SIGN_CONSENT = 'post /api/sandbox/consents/$CONSENT/sign "{}" > user.json'
const SIGN_APPROVAL = 'post /api/sandbox/approvals/$APPROVAL/sign "{}" > user.json'

export const NEW_USER_PATHS: readonly NewUserPath[] = [
  { language: 'curl', prepare: async () => undefined, pay: payByGuide },
  { language: 'TypeScript', prepare: packTypeScript, pay: payInTypeScript },
  { language: 'Python', prepare: ({ folder }) => ensurePython(folder), pay: payInPython },
  generatorPath(openApiGeneratorJava),
  generatorPath(openApiGeneratorCSharp),
  generatorPath(openApiGeneratorPhp),
]

/** The commands of the guide as pasted; where it says that a URL is to be opened, the sandbox decides for the user. */
async function payByGuide({ gateway }: ClientEnvironment): Promise<string> {
  const { url } = await gateway()
  const preparation = await readFile(join(GUIDES, 'authentication.md'), 'utf8')
  const [, prepare = ''] = /^## Prepare your shell\n(.+?)(?=^## )/ms.exec(`${preparation}\n## `) ?? []
  const guide = await readFile(join(GUIDES, 'first-payment.md'), 'utf8')
  const shell = await openDocumentationShell()
  try {
    const decisions = [SIGN_CONSENT, SIGN_APPROVAL]
    let printed = ''
    for (const block of shellBlocks(`${prepare.replaceAll(PRODUCTION, '')}\n${guide}`)) {
      printed = await shell.run(block.replaceAll(DEMO_URL, url))
      await shell.run(printed.startsWith('Open: ') ? (decisions.shift() ?? '') : '')
    }
    return printed
  } finally {
    await shell.close()
  }
}

async function packTypeScript({ folder }: ClientEnvironment): Promise<void> {
  await buildPackage(join(folder, 'built'))
  await packPackage(join(folder, 'built'), folder)
}

/** The program of the client's README, on the runtime of this project, which runs TypeScript. */
async function payInTypeScript(environment: ClientEnvironment): Promise<string> {
  const { folder, run } = environment
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  await run('sh', ['-c', `npm ${INSTALL.join(' ')} ./*.tgz`])
  await copyFile(join(ROOT, 'sdk', 'example.ts'), join(folder, 'pay-invoice.ts'))
  return await run(process.execPath, ['pay-invoice.ts'], { variables: await variablesOf(environment) })
}

/** The first program of the client's README. */
async function payInPython(environment: ClientEnvironment): Promise<string> {
  const { folder, run } = environment
  const readme = await readFile(join(ROOT, 'sdk-python', 'README.md'), 'utf8')
  const [, program = ''] = /^```python\n(.+?)^```/ms.exec(readme) ?? []
  await writeFile(join(folder, 'pay_invoice.py'), program)
  const programs = await createVenv(folder, '.venv', [join(ROOT, 'sdk-python')])
  return await run(join(programs, 'python'), ['pay_invoice.py'], { variables: await variablesOf(environment) })
}

/** The project in `clients/` of a language without a client of ours. */
function generatorPath(generator: ClientGenerator): NewUserPath {
  return {
    language: generator.language,
    prepare: async () => undefined,
    pay: async (environment) => {
      const project = await createProject(generator, environment)
      await generator.generate(project)
      await generator.compile(project)
      return (await generator.pay?.(project)) ?? ''
    },
  }
}

async function variablesOf({ gateway }: ClientEnvironment): Promise<Readonly<Record<string, string>>> {
  const { url, clientId, clientSecret } = await gateway()
  return { HAVN_URL: url, HAVN_CLIENT_ID: clientId, HAVN_CLIENT_SECRET: clientSecret }
}
