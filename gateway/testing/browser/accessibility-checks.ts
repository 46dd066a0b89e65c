/** Checks a page in the browser against WCAG AA: structure, names, contrast, target sizes and visible focus. */
import type { Page } from 'playwright-core'
import { checkPage } from './evaluate-in-page.ts'

/** Minimum contrast of text to its background, and of large text and borders of controls. */
const CONTRAST_MIN = 4.5
const LARGE_CONTRAST_MIN = 3
/** Large text: 24 CSS pixels, or 18.66 bold. */
const LARGE_PIXELS = 24
const LARGE_BOLD_PIXELS = 18.66
/** Larger than the 24 pixels of WCAG, for touch screens. */
const TARGET_PIXELS_MIN = 44
/** WCAG 2.5.8: a smaller target that is not part of a sentence has a circle of this diameter to itself. */
const TARGET_CIRCLE_PIXELS = 24
const FOCUS_OUTLINE_PIXELS_MIN = 2

/** Runs in the page, the only place with a `document`. */
const TOOLS = `
const visible = (element) => element.checkVisibility() && element.getClientRects().length > 0
const channels = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number)
const luminance = (colour) => channels(colour).slice(0, 3)
  .map((channel) => channel / 255)
  .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0)
const ratio = (one, other) => {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}
const grounds = new Map([[null, 'rgb(255, 255, 255)']])
const ground = (element) => {
  if (!grounds.has(element)) {
    const colour = getComputedStyle(element).backgroundColor
    grounds.set(element, channels(colour)[3] === 0 ? ground(element.parentElement) : colour)
  }
  return grounds.get(element)
}
const nameOf = (element) => element.tagName.toLowerCase() + ' "' + (element.textContent ?? '').trim().slice(0, 40) + '"'
`

const STRUCTURE_CHECK = `(() => {
${TOOLS}
const faults = []
const one = (selector, what) => {
  const count = document.querySelectorAll(selector).length
  if (count !== 1) faults.push(what + ': ' + count + ' instead of 1')
}
one('h1', 'main headings')
one('main', 'main landmarks')
if ((document.documentElement.lang ?? '') === '') faults.push('no language')
if (document.title.trim() === '') faults.push('no title')
if (!/width=device-width/.test(document.querySelector('meta[name=viewport]')?.content ?? '')) faults.push('no viewport')
if (document.querySelector('script:not([src]), [style], [onclick]') !== null) faults.push('inline script or style')
const levels = [...document.querySelectorAll('h1,h2,h3,h4')].map(({ tagName }) => Number(tagName[1]))
levels.forEach((level, index) => { if (level > (levels[index - 1] ?? 0) + 1) faults.push('a heading skips a level') })
if (document.documentElement.scrollWidth > innerWidth) faults.push('scrolls sideways')
for (const field of document.querySelectorAll('input:not([type=hidden]), select, textarea')) {
  if (field.labels.length === 0 && !field.ariaLabel) faults.push('a field without a label: ' + field.name)
}
for (const attribute of ['for', 'aria-labelledby', 'aria-describedby']) {
  for (const element of document.querySelectorAll('[' + attribute + ']')) {
    for (const id of element.getAttribute(attribute).split(' ')) {
      if (document.querySelectorAll('#' + CSS.escape(id)).length !== 1) faults.push(attribute + ' names no element, or several: ' + id)
    }
  }
}
for (const group of document.querySelectorAll('fieldset')) {
  if (group.querySelector('legend') === null) faults.push('a group of fields without a legend')
}
for (const control of document.querySelectorAll('button, a[href]')) {
  if (control.textContent.trim() === '') faults.push('a control without a name')
}
for (const target of document.querySelectorAll('button, .button, label:has(input)')) {
  const { width, height } = target.getBoundingClientRect()
  if (visible(target) && Math.min(width, height) < ${TARGET_PIXELS_MIN}) faults.push('too small a target: ' + nameOf(target))
}
// The target of a field in a label is the label.
const boxes = [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')]
  .filter((target) => visible(target) && target.closest('label') === null)
  .map((target) => ({ target, box: target.getBoundingClientRect() }))
const isSmall = ({ width, height }) => Math.min(width, height) < ${TARGET_CIRCLE_PIXELS}
const centre = ({ left, top, width, height }) => [left + width / 2, top + height / 2]
const gap = (at, start, end) => Math.max(start - at, at - end, 0)
const isInSentence = (target) => {
  let block = target.parentElement
  while (getComputedStyle(block).display === 'inline') block = block.parentElement
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT)
  while (walker.nextNode() !== null) {
    if (walker.currentNode.data.trim() !== '' && walker.currentNode.parentElement.closest('a, button') === null) return true
  }
  return false
}
// As axe-core does, it leaves out what has the colour of its text, such as a heading that links to itself.
const looksLikeText = (link) => {
  const [own, around] = [getComputedStyle(link), getComputedStyle(link.parentElement)]
  const isMarked = own.textDecorationLine.includes('underline') || own.fontWeight !== around.fontWeight
  return !isMarked && own.color !== around.color && ratio(own.color, around.color) < ${LARGE_CONTRAST_MIN}
}
for (const link of document.querySelectorAll('a[href]')) {
  if (visible(link) && looksLikeText(link) && isInSentence(link)) faults.push('a link looks like the text around it: ' + nameOf(link))
}
for (const { target, box } of boxes) {
  if (!isSmall(box) || isInSentence(target)) continue
  const [x, y] = centre(box)
  const isNear = ({ target: other, box: { left, right, top, bottom } }) =>
    other !== target && Math.hypot(gap(x, left, right), gap(y, top, bottom)) < ${TARGET_CIRCLE_PIXELS / 2}
  const isCircleNear = ({ target: other, box }) =>
    other !== target && isSmall(box) && Math.hypot(x - centre(box)[0], y - centre(box)[1]) < ${TARGET_CIRCLE_PIXELS}
  if (boxes.some((other) => isNear(other) || isCircleNear(other))) faults.push('too close to another target: ' + nameOf(target))
}
const edge = document.querySelector('main')?.getBoundingClientRect()
for (const element of document.querySelectorAll('main :is(h1, h2, p, a, form, button, label, dl, dd, .card, .table)')) {
  const { left, right } = element.getBoundingClientRect()
  if (visible(element) && (left < edge.left - 1 || right > edge.right + 1)) faults.push('sticks out: ' + nameOf(element))
}
return faults
})()`

/** The only check that depends on the colour scheme. */
export const CONTRAST_CHECK = `(() => {
${TOOLS}
const faults = []
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) {
  const element = text.parentElement
  if (text.textContent.trim() === '' || !visible(element)) continue
  const style = getComputedStyle(element)
  const pixels = Number.parseFloat(style.fontSize)
  const large = pixels >= ${LARGE_PIXELS} || (pixels >= ${LARGE_BOLD_PIXELS} && Number(style.fontWeight) >= 700)
  const found = ratio(style.color, ground(element))
  if (found < (large ? ${LARGE_CONTRAST_MIN} : ${CONTRAST_MIN})) {
    faults.push('contrast ' + found.toFixed(2) + ' of ' + nameOf(element))
  }
}
return faults
})()`

/** Runs in the page; returns the kinds of its texts: in other colours, or another place, a text may have another contrast in dark mode. */
export const TEXT_KINDS = `(() => {
${TOOLS}
const placeOf = (element) => element.tagName + '.' + element.className
const kinds = new Set()
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) {
  if (text.data.trim() === '') continue
  const { parentElement: element } = text
  const { color, fontSize, fontWeight } = getComputedStyle(element)
  kinds.add([placeOf(element.parentElement), placeOf(element), color, ground(element), fontSize, fontWeight].join(' '))
}
return [...kinds]
})()`

export const PAGE_CHECKS = [STRUCTURE_CHECK, CONTRAST_CHECK]

const FOCUS_CHECK = `(() => {
${TOOLS}
const element = document.activeElement
if (element === null || element === document.body) return []
const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element)
const seen = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= ${FOCUS_OUTLINE_PIXELS_MIN}
if (!seen) return ['the focus is not seen on ' + nameOf(element)]
const found = ratio(outlineColor, ground(element.parentElement))
return found < ${LARGE_CONTRAST_MIN} ? ['contrast ' + found.toFixed(2) + ' of the focus on ' + nameOf(element)] : []
})()`

/** The faults of the current page. */
export async function accessibilityErrors(page: Page): Promise<readonly string[]> {
  return await checkPage(page, PAGE_CHECKS)
}

/** The faults of the current focus indicator. */
export async function focusErrors(page: Page): Promise<readonly string[]> {
  return await checkPage(page, [FOCUS_CHECK])
}
