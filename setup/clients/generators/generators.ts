/** Lists the generators of clients, each with how it generates from the OpenAPI document and compiles the result. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureMono, ensurePrograms, ensurePython } from '../ensure-programs.ts'
import type { ClientGenerator, ClientProject } from './generator-step.ts'

const VERSION = '7.25.0'
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy'
/** Where the running gateway serves the document. */
const DOCUMENT = '"$HAVN_URL/openapi.json"'

/** Generates the client that `openapi-generator.yaml` of the project describes. */
async function runOpenApiGenerator({ run }: ClientProject): Promise<void> {
  await ensureMaven()
  const artifact = `-Dartifact=org.openapitools:openapi-generator-cli:${VERSION}`
  await run('mvn', ['--batch-mode', '--quiet', COPY, artifact, '-DoutputDirectory=generator'])
  await run('sh', ['-c', `java -jar generator/openapi-generator-cli-${VERSION}.jar ${generateCommand()}`])
}

/** The command of openapi-generator, for the document of the running gateway or a copy of it. */
function generateCommand(document = DOCUMENT): string {
  return `generate -c openapi-generator.yaml -i ${document}`
}

/** Ensures that Java's compiler and Maven are installed. */
async function ensureMaven(): Promise<void> {
  await ensurePrograms(['javac', 'mvn'], ['default-jdk-headless', 'maven'])
}

/** openapi-generator as a plugin of the build, which also compiles the client. */
export const openApiGeneratorJava: ClientGenerator = {
  name: 'openapi-generator-java',
  language: 'Java',
  project: 'java-openapi-generator',
  generated: 'target/generated-sources/openapi/src/main/java',
  generate: async ({ run }) => {
    await ensureMaven()
    await run('mvn', ['--batch-mode', '--quiet', 'generate-sources'])
  },
  callOf: (operationId) => new RegExp(`^  public \\S+ ${operationId}\\(`, 'm'),
  compile: async ({ run }) => {
    await run('mvn', ['--batch-mode', '--quiet', 'compile'])
    return 'javac'
  },
  pay: ({ run }) => run('mvn', ['--batch-mode', '--quiet', '-Dopenapi.generator.maven.plugin.skip=true', 'exec:java']),
}

/** PHP with the extensions that the generated client needs, and its HTTP client. */
const PACKAGES = ['php-cli', 'php-curl', 'php-mbstring', 'php-guzzlehttp-guzzle'] as const

export const openApiGeneratorPhp: ClientGenerator = {
  name: 'openapi-generator-php',
  language: 'PHP',
  project: 'php-openapi-generator',
  generated: 'havn/lib/Api',
  generate: async (project) => {
    await ensurePrograms(['php'], [...PACKAGES])
    await runOpenApiGenerator(project)
  },
  callOf: (operationId) => new RegExp(`^    public function ${operationId}\\(`, 'm'),
  compile: async ({ run }) => {
    // PHP 8.2 checks only the first file that it is given.
    await run('sh', ['-c', 'find havn/lib -name "*.php" -print0 | xargs -0 -n 1 -P 2 php -l >/dev/null'])
    return 'php -l'
  },
  pay: ({ run }) => run('php', ['PayInvoice.php']),
}

/** NuGet cannot be reached; npm has Newtonsoft.Json, as a package for Unity. */
const NEWTONSOFT = 'jillejr.newtonsoft.json-for-unity@12.0.101'
const NEWTONSOFT_LIBRARY =
  "'node_modules/jillejr.newtonsoft.json-for-unity/Plugins/Newtonsoft.Json Editor/Newtonsoft.Json.dll'"
/** The client names this package, and uses nothing of it. */
const JSON_SUB_TYPES = 'namespace JsonSubTypes { }\n'
const REFERENCES = [
  'Newtonsoft.Json',
  'System.ComponentModel.DataAnnotations',
  'System.Net.Http',
  'System.Runtime.Serialization',
  'System.Web',
].map((name) => `-r:${name}.dll`)

/** Compiled and run with Mono. */
export const openApiGeneratorCSharp: ClientGenerator = {
  name: 'openapi-generator-csharp',
  language: 'C#',
  project: 'csharp-openapi-generator',
  generated: 'havn/src/Havn/Api',
  generate: async (project) => {
    await ensureMono()
    await runOpenApiGenerator(project)
    await installNewtonsoft(project)
  },
  callOf: (operationId) => new RegExp(` ${upperFirst(operationId)}Async\\(`, 'm'),
  compile: async ({ folder, run }) => {
    await writeFile(join(folder, 'JsonSubTypes.cs'), JSON_SUB_TYPES)
    const client = ['-target:library', '-out:Havn.dll', '-recurse:havn/src/Havn/*.cs', 'JsonSubTypes.cs']
    await run('mcs', ['-langversion:latest', ...REFERENCES, ...client])
    await run('mcs', ['-langversion:latest', ...REFERENCES, '-r:Havn.dll', 'PayInvoice.cs'])
    return 'mcs'
  },
  pay: ({ run }) => run('mono', ['PayInvoice.exe']),
}

/** Into the folder of the program, where Mono finds it. */
async function installNewtonsoft({ run }: ClientProject): Promise<void> {
  await run('sh', [
    '-c',
    `npm install --no-save --no-audit --no-fund --ignore-scripts ${NEWTONSOFT} && cp ${NEWTONSOFT_LIBRARY} .`,
  ])
}

function upperFirst(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Installs packages of npm in the folder of a step. */
export const INSTALL = 'install --no-audit --no-fund --no-package-lock --ignore-scripts --loglevel=error'.split(' ')

/** Types with openapi-typescript, calls with openapi-fetch. */
const openApiFetch: ClientGenerator = {
  name: 'openapi-fetch',
  language: 'TypeScript',
  project: 'typescript-openapi-fetch',
  generated: 'havn.d.ts',
  generate: async ({ run }) => {
    await run('npm', INSTALL)
    await run('npm', ['run', 'generate'])
  },
  callOf: (operationId) => new RegExp(`^    ${operationId}: \\{$`, 'm'),
  compile: async ({ run }) => {
    await run('npm', ['run', 'build'])
    return 'tsc'
  },
  pay: ({ run }) => run('npm', ['start', '--silent']),
}

const heyApi: ClientGenerator = {
  ...openApiFetch,
  name: 'hey-api',
  project: 'typescript-hey-api',
  generated: 'havn',
  callOf: (operationId) => new RegExp(`^export const ${operationId} = `, 'm'),
}

const openApiPythonClient: ClientGenerator = {
  name: 'openapi-python-client',
  language: 'Python',
  project: 'python-openapi-python-client',
  generated: 'havn_client/api',
  generate: async (project) => {
    await installWithPip(project)
    const command =
      'openapi-python-client generate --url "$HAVN_URL/openapi.json" --meta none --output-path havn_client'
    await project.run('sh', ['-c', command], inEnvironment(project))
  },
  callOf: (operationId) => new RegExp(`/${snakeCase(operationId)}\\.py$`, 'm'),
  compile: compileWithPyright,
  pay: (project) => project.run('python', ['pay_invoice.py'], inEnvironment(project)),
}

/** The same program as for Java, as a package of PyPI that brings its own Java. */
const openApiGeneratorPython: ClientGenerator = {
  ...openApiPythonClient,
  name: 'openapi-generator-python',
  project: 'python-openapi-generator',
  generated: 'havn_client/api',
  generate: async (project) => {
    await installWithPip(project)
    const commands = `python download_document.py && openapi-generator-cli ${generateCommand('openapi.json')}`
    await project.run('sh', ['-c', commands], inEnvironment(project))
  },
  callOf: (operationId) => new RegExp(`^    def ${snakeCase(operationId)}\\($`, 'm'),
  compile: async (project) => {
    // Its own classes do not pass a type checker: the program that uses them does, and all of them are imported.
    const modules =
      'import pkgutil, havn_client as c; [__import__(m.name) for m in pkgutil.walk_packages(c.__path__, "havn_client.")]'
    await project.run('python', ['-W', 'error::SyntaxWarning', '-c', modules], inEnvironment(project))
    return `${await compileWithPyright(project)}, imported`
  },
}

/** Into a virtual environment of the project. */
async function installWithPip(project: ClientProject): Promise<void> {
  await ensurePython(project.folder)
  await project.run('python3', ['-m', 'venv', '.venv'])
  await project.run('python', ['-m', 'pip', 'install', '--quiet', '-r', 'requirements.txt'], inEnvironment(project))
}

async function compileWithPyright(project: ClientProject): Promise<string> {
  await project.run('pyright', ['--warnings'], inEnvironment(project))
  return 'pyright'
}

function inEnvironment({ folder }: ClientProject) {
  return { variables: { PATH: `${join(folder, '.venv', 'bin')}:${process.env['PATH'] ?? ''}` } }
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** In the order in which they are tried. */
export const GENERATORS: readonly ClientGenerator[] = [
  openApiFetch,
  heyApi,
  openApiPythonClient,
  openApiGeneratorPython,
  openApiGeneratorJava,
  openApiGeneratorCSharp,
  openApiGeneratorPhp,
]
