/**
 * The ordered map of the GNU C++ library, with what it leaves behind in a node that has been erased. Real servers of 27.1 and
 * 28.0 erase from such a map while they walk over it and then step on from the erased node, so which keys survive follows
 * from the shape of the tree.
 */
class TreeNode {
  readonly key: string;
  isRed = true;
  parent: TreeNode | undefined;
  left: TreeNode | undefined;
  right: TreeNode | undefined;

  constructor(key: string) {
    this.key = key;
  }
}

export class RedBlackTree {
  /** Its parent is the root, its left the first node and its right the last; it is also the end of a walk. */
  readonly header = new TreeNode('');

  constructor() {
    this.header.left = this.header;
    this.header.right = this.header;
  }

  get first(): TreeNode {
    return this.header.left ?? this.header;
  }

  find(key: string): TreeNode | undefined {
    let node = this.header.parent;
    while (node !== undefined && node.key !== key) node = key < node.key ? node.left : node.right;
    return node;
  }

  /** From the node itself, whether or not it is still part of the tree. */
  next(from: TreeNode): TreeNode {
    let node = from;
    if (node.right !== undefined) {
      node = node.right;
      while (node.left !== undefined) node = node.left;
      return node;
    }
    let parent = node.parent ?? this.header;
    while (node === parent.right) {
      node = parent;
      parent = parent.parent ?? this.header;
    }
    return node.right === parent ? node : parent;
  }

  insert(key: string): void {
    let parent = this.header;
    let at = this.header.parent;
    while (at !== undefined) {
      parent = at;
      if (at.key === key) return;
      at = key < at.key ? at.left : at.right;
    }
    const node = new TreeNode(key);
    node.parent = parent;
    if (parent === this.header) {
      this.header.parent = node;
      this.header.left = node;
      this.header.right = node;
    } else if (key < parent.key) {
      parent.left = node;
      if (parent === this.header.left) this.header.left = node;
    } else {
      parent.right = node;
      if (parent === this.header.right) this.header.right = node;
    }
    this.#balanceInserted(node);
  }

  #balanceInserted(inserted: TreeNode): void {
    let node = inserted;
    while (node !== this.header.parent && node.parent?.isRed === true) {
      let { parent } = node;
      const grandparent = parent.parent;
      if (grandparent === undefined) break;
      const isLeft = parent === grandparent.left;
      const uncle = isLeft ? grandparent.right : grandparent.left;
      if (uncle?.isRed === true) {
        parent.isRed = false;
        uncle.isRed = false;
        grandparent.isRed = true;
        node = grandparent;
        continue;
      }
      if (node === (isLeft ? parent.right : parent.left)) {
        node = parent;
        if (isLeft) this.#rotateLeft(node);
        else this.#rotateRight(node);
        parent = node.parent ?? parent;
      }
      parent.isRed = false;
      grandparent.isRed = true;
      if (isLeft) this.#rotateRight(grandparent);
      else this.#rotateLeft(grandparent);
    }
    if (this.header.parent !== undefined) this.header.parent.isRed = false;
  }

  #replaceChild(parent: TreeNode | undefined, old: TreeNode, child: TreeNode | undefined): void {
    if (this.header.parent === old) this.header.parent = child;
    else if (parent?.left === old) parent.left = child;
    else if (parent !== undefined) parent.right = child;
  }

  #rotateLeft(node: TreeNode): void {
    const { right } = node;
    if (right === undefined) return;
    node.right = right.left;
    if (right.left !== undefined) right.left.parent = node;
    right.parent = node.parent;
    this.#replaceChild(node.parent, node, right);
    right.left = node;
    node.parent = right;
  }

  #rotateRight(node: TreeNode): void {
    const { left } = node;
    if (left === undefined) return;
    node.left = left.right;
    if (left.right !== undefined) left.right.parent = node;
    left.parent = node.parent;
    this.#replaceChild(node.parent, node, left);
    left.right = node;
    node.parent = left;
  }

  /** The erased node keeps the pointers it had. */
  erase(node: TreeNode): void {
    let successor = node;
    let moved: TreeNode | undefined;
    let movedParent: TreeNode | undefined;
    if (node.left === undefined) {
      moved = node.right;
    } else if (node.right === undefined) {
      moved = node.left;
    } else {
      successor = node.right;
      while (successor.left !== undefined) successor = successor.left;
      moved = successor.right;
    }
    let removedIsRed = node.isRed;
    if (successor !== node) {
      if (node.left !== undefined) node.left.parent = successor;
      successor.left = node.left;
      if (successor === node.right) {
        movedParent = successor;
      } else {
        movedParent = successor.parent;
        if (moved !== undefined) moved.parent = successor.parent;
        if (successor.parent !== undefined) successor.parent.left = moved;
        successor.right = node.right;
        if (node.right !== undefined) node.right.parent = successor;
      }
      this.#replaceChild(node.parent, node, successor);
      successor.parent = node.parent;
      removedIsRed = successor.isRed;
      successor.isRed = node.isRed;
      node.isRed = removedIsRed;
    } else {
      movedParent = node.parent;
      if (moved !== undefined) moved.parent = node.parent;
      this.#replaceChild(node.parent, node, moved);
      if (this.header.left === node) this.header.left = node.right === undefined ? node.parent : leftmost(moved);
      if (this.header.right === node) this.header.right = node.left === undefined ? node.parent : rightmost(moved);
    }
    if (!removedIsRed) this.#balanceErased(moved, movedParent);
  }

  #balanceErased(moved: TreeNode | undefined, movedParent: TreeNode | undefined): void {
    let node = moved;
    let parent = movedParent;
    while (parent !== undefined && node !== this.header.parent && node?.isRed !== true) {
      const isLeft = node === parent.left;
      let sibling = isLeft ? parent.right : parent.left;
      if (sibling?.isRed === true) {
        sibling.isRed = false;
        parent.isRed = true;
        if (isLeft) this.#rotateLeft(parent);
        else this.#rotateRight(parent);
        sibling = isLeft ? parent.right : parent.left;
      }
      if (sibling === undefined) break;
      const outer = isLeft ? sibling.right : sibling.left;
      const inner = isLeft ? sibling.left : sibling.right;
      if (outer?.isRed !== true && inner?.isRed !== true) {
        sibling.isRed = true;
        node = parent;
        parent = parent.parent;
        continue;
      }
      if (outer?.isRed !== true) {
        if (inner !== undefined) inner.isRed = false;
        sibling.isRed = true;
        if (isLeft) this.#rotateRight(sibling);
        else this.#rotateLeft(sibling);
        sibling = isLeft ? parent.right : parent.left;
      }
      if (sibling !== undefined) {
        sibling.isRed = parent.isRed;
        const far = isLeft ? sibling.right : sibling.left;
        if (far !== undefined) far.isRed = false;
      }
      parent.isRed = false;
      if (isLeft) this.#rotateLeft(parent);
      else this.#rotateRight(parent);
      break;
    }
    if (node !== undefined) node.isRed = false;
  }
}

const leftmost = (node: TreeNode | undefined): TreeNode | undefined => {
  let at = node;
  while (at?.left !== undefined) at = at.left;
  return at;
};

const rightmost = (node: TreeNode | undefined): TreeNode | undefined => {
  let at = node;
  while (at?.right !== undefined) at = at.right;
  return at;
};
