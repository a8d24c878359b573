import type { Floor } from '../eslint/floorTable.ts';
import type { RoomList } from '../eslint/roomTable.ts';

const WIDTH = 1180;
const MARGIN = 20;
const GAP = 14;
const FLOOR_HEIGHT = 64;
const ROW_HEIGHT = FLOOR_HEIGHT + 30;
const ROOM_WIDTH = 178;
const ROOM_HEIGHT = 24;
const ROOMS_IN_ROW = 6;

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** The height of a floor: above everything that it may import. */
function levelsOf(floors: readonly Floor[]): Map<string, number> {
  const levels = new Map<string, number>();
  const levelOf = (name: string): number => {
    const known = levels.get(name);
    if (known !== undefined) return known;
    const floor = floors.find((one) => one.name === name);
    if (floor === undefined) throw new Error(`The table of floors names ${name}, which it does not have.`);
    const below = [...floor.mayImport, ...(floor.mayImportTypesOf ?? [])].map(levelOf);
    const level = below.length === 0 ? 0 : Math.max(...below) + 1;
    levels.set(name, level);
    return level;
  };
  for (const { name } of floors) levelOf(name);
  return levels;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly lines: readonly string[];
}

function boxOf({ x, y, width, height, title, lines }: Box): string {
  const texts = lines.map((line, at) => `<text class="small" x="${x + 10}" y="${y + 40 + at * 15}">${escape(line)}</text>`);
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/><text x="${x + 10}" y="${y + 22}">${escape(title)}</text>${texts.join('')}`;
}

/** The short name of a floor inside its package: `runtime` of `host/runtime`. */
const short = (name: string): string => name.replace(/^host\//, '');

function floorLines({ mayImport, mayImportTypesOf = [] }: Floor): string[] {
  const values = mayImport.length === 0 ? 'imports no floor' : `imports ${mayImport.map(short).join(', ')}`;
  const types = mayImportTypesOf.length === 0 ? [] : [`types of ${mayImportTypesOf.map(short).join(', ')}`];
  const words = `${[values, ...types].join('; ')}`;
  // Two lines hold the longest list.
  const cut = words.length > 34 ? words.lastIndexOf(' ', 34) : words.length;
  return [words.slice(0, cut), words.slice(cut + 1)].filter((line) => line !== '');
}

function drawFloors(floors: readonly Floor[], top: number): { svg: string[]; bottom: number } {
  const levels = levelsOf(floors);
  const highest = Math.max(...levels.values());
  const svg = Array.from({ length: highest + 1 }, (_, row) => {
    const level = floors.filter(({ name }) => levels.get(name) === highest - row);
    const width = Math.min(280, (WIDTH - 2 * MARGIN - GAP * (level.length - 1)) / level.length);
    const y = top + row * ROW_HEIGHT;
    return level.map((floor, at) =>
      boxOf({ x: MARGIN + at * (width + GAP), y, width, height: FLOOR_HEIGHT, title: floor.name, lines: floorLines(floor) }),
    );
  }).flat();
  return { svg, bottom: top + (highest + 1) * ROW_HEIGHT };
}

function drawRooms({ floor, rooms }: RoomList, top: number): { svg: string[]; bottom: number } {
  const heading = `<text class="heading" x="${MARGIN}" y="${top + 16}">Rooms of ${floor}: each imports from those before it</text>`;
  const cells = rooms.map((room, at) => {
    const x = MARGIN + (at % ROOMS_IN_ROW) * (ROOM_WIDTH + GAP);
    const y = top + 28 + Math.floor(at / ROOMS_IN_ROW) * (ROOM_HEIGHT + 8);
    return `<rect class="room" x="${x}" y="${y}" width="${ROOM_WIDTH}" height="${ROOM_HEIGHT}" rx="4"/><text class="small" x="${x + 8}" y="${y + 16}">${at + 1}  ${escape(room)}</text>`;
  });
  return { svg: [heading, ...cells], bottom: top + 28 + Math.ceil(rooms.length / ROOMS_IN_ROW) * (ROOM_HEIGHT + 8) + 20 };
}

/**
 * The picture of docs/images/architecture.svg: the floors with what each may import, the lowest at the bottom, and the rooms of the large floors
 * in their order.
 */
export function architectureImage(floors: readonly Floor[], roomLists: readonly RoomList[]): string {
  const parts = [`<text class="heading" x="${MARGIN}" y="34">Floors: imports go down</text>`];
  const house = drawFloors(floors, 48);
  parts.push(...house.svg);
  let bottom = house.bottom;
  for (const list of roomLists) {
    const drawn = drawRooms(list, bottom);
    parts.push(...drawn.svg);
    bottom = drawn.bottom;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom}" font-family="system-ui, sans-serif" font-size="15" role="img" aria-label="The floors and rooms of Tabularium">
<style>
  rect { fill: #eef3fc; stroke: #2a62d3; } rect.room { fill: #fff; stroke: #9db4e0; }
  text { fill: #16243f; } .small { font-size: 12px; fill: #3d4c68; } .heading { font-size: 16px; font-weight: 600; }
</style>
<rect x="0" y="0" width="${WIDTH}" height="${bottom}" style="fill:#fff;stroke:none"/>
${parts.join('\n')}
</svg>
`;
}
