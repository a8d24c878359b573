import { COLORS, chosenColors, storeColors } from './colorChoice.ts';
import { addCopyButtons } from './copyButtons.ts';
import { addMenu, foldContents } from './menu.ts';
import { SearchBox } from './searchBox.ts';
import { letScroll } from './scrolledBoxes.ts';

const colors = document.querySelector<HTMLSelectElement>('#colors');
if (colors !== null) {
  colors.value = chosenColors();
  colors.addEventListener('change', () => storeColors(COLORS.find((name) => name === colors.value) ?? 'system'));
}
addMenu();
foldContents();
addCopyButtons();
letScroll();
const box = document.querySelector<HTMLElement>('.search');
if (box !== null) new SearchBox(box, document.documentElement.dataset['site'] ?? '');
