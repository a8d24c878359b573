// Runs before the page is drawn, so that its first frame has the chosen colours. The policy of the site allows no script inside a page.
import { chosenColors, showColors } from './colorChoice.ts';

showColors(chosenColors());
document.documentElement.classList.add('scripted');
