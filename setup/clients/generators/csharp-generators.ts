/** Lists the generators of C#, from Maven Central. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureMono } from '../ensure-mono.ts'
import type { ClientGenerator, ClientProject } from './generator-step.ts'
import { runOpenApiGenerator } from './openapi-generator.ts'

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
