// Every text on the page that is too faint against what lies behind it: 4.5 to 1, large type 3 to 1 (WCAG, AA).
() => {
  const parse = (words) => {
    const [red, green, blue, alpha = 1] = words.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
    const scale = words.startsWith("color(") ? 255 : 1;
    return [red * scale, green * scale, blue * scale, alpha];
  };
  const over = (top, under) => [0, 1, 2].map((at) => top[at] * top[3] + under[at] * (1 - top[3])).concat(1);
  const linear = (part) => (part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([red, green, blue]) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  const upwards = (node) => (node ? [node, ...upwards(node.parentElement)] : []);
  const behind = (node) => upwards(node).reverse().map((one) => parse(getComputedStyle(one).backgroundColor))
    .reduce((under, colour) => over(colour, under), [255, 255, 255, 1]);
  const shown = (node) => {
    const { width, height } = node.getBoundingClientRect();
    return width > 2 && height > 2 && node.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  // The value of a slider stands beside its thumb, not on it.
  const leftOut = "svg, canvas, style, script, [disabled], [aria-hidden=true], [data-testid=stSliderThumbValue]";
  const faint = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    const words = walker.currentNode.textContent.trim();
    if (!words || node.closest(leftOut) || !shown(node)) continue;
    const look = getComputedStyle(node);
    const colour = parse(look.color);
    colour[3] *= upwards(node).reduce((all, one) => all * Number(getComputedStyle(one).opacity), 1);
    const under = behind(node);
    const [more, less] = [light(over(colour, under)), light(under)].sort((one, other) => other - one);
    const size = parseFloat(look.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(look.fontWeight) >= 700);
    const ratio = (more + 0.05) / (less + 0.05);
    if (ratio < (large ? 3 : 4.5)) faint.add(`${ratio.toFixed(2)}: ${words.slice(0, 60)}`);
  }
  return [...faint];
}
