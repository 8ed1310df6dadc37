// Written by Scripts/generate-graph.

import DependencyInjection

/// A graph of 100 shared objects, the root of which is a ``Node0``.
enum NodeGraph {
    static let nodeCount = 100

    /// Dependencies resolved in closures.
    static let closures = Module {
        Shared { resolve in Node0(resolve(), resolve(), resolve()) }
        Shared { resolve in Node1(resolve(), resolve(), resolve()) }
        Shared { resolve in Node2(resolve(), resolve(), resolve()) }
        Shared { resolve in Node3(resolve(), resolve(), resolve()) }
        Shared { resolve in Node4(resolve(), resolve(), resolve()) }
        Shared { resolve in Node5(resolve(), resolve(), resolve()) }
        Shared { resolve in Node6(resolve(), resolve(), resolve()) }
        Shared { resolve in Node7(resolve(), resolve(), resolve()) }
        Shared { resolve in Node8(resolve(), resolve(), resolve()) }
        Shared { resolve in Node9(resolve(), resolve(), resolve()) }
        Shared { resolve in Node10(resolve(), resolve(), resolve()) }
        Shared { resolve in Node11(resolve(), resolve(), resolve()) }
        Shared { resolve in Node12(resolve(), resolve(), resolve()) }
        Shared { resolve in Node13(resolve(), resolve(), resolve()) }
        Shared { resolve in Node14(resolve(), resolve(), resolve()) }
        Shared { resolve in Node15(resolve(), resolve(), resolve()) }
        Shared { resolve in Node16(resolve(), resolve(), resolve()) }
        Shared { resolve in Node17(resolve(), resolve(), resolve()) }
        Shared { resolve in Node18(resolve(), resolve(), resolve()) }
        Shared { resolve in Node19(resolve(), resolve(), resolve()) }
        Shared { resolve in Node20(resolve(), resolve(), resolve()) }
        Shared { resolve in Node21(resolve(), resolve(), resolve()) }
        Shared { resolve in Node22(resolve(), resolve(), resolve()) }
        Shared { resolve in Node23(resolve(), resolve(), resolve()) }
        Shared { resolve in Node24(resolve(), resolve(), resolve()) }
        Shared { resolve in Node25(resolve(), resolve(), resolve()) }
        Shared { resolve in Node26(resolve(), resolve(), resolve()) }
        Shared { resolve in Node27(resolve(), resolve(), resolve()) }
        Shared { resolve in Node28(resolve(), resolve(), resolve()) }
        Shared { resolve in Node29(resolve(), resolve(), resolve()) }
        Shared { resolve in Node30(resolve(), resolve(), resolve()) }
        Shared { resolve in Node31(resolve(), resolve(), resolve()) }
        Shared { resolve in Node32(resolve(), resolve(), resolve()) }
        Shared { resolve in Node33(resolve(), resolve(), resolve()) }
        Shared { resolve in Node34(resolve(), resolve(), resolve()) }
        Shared { resolve in Node35(resolve(), resolve(), resolve()) }
        Shared { resolve in Node36(resolve(), resolve(), resolve()) }
        Shared { resolve in Node37(resolve(), resolve(), resolve()) }
        Shared { resolve in Node38(resolve(), resolve(), resolve()) }
        Shared { resolve in Node39(resolve(), resolve(), resolve()) }
        Shared { resolve in Node40(resolve(), resolve(), resolve()) }
        Shared { resolve in Node41(resolve(), resolve(), resolve()) }
        Shared { resolve in Node42(resolve(), resolve(), resolve()) }
        Shared { resolve in Node43(resolve(), resolve(), resolve()) }
        Shared { resolve in Node44(resolve(), resolve(), resolve()) }
        Shared { resolve in Node45(resolve(), resolve(), resolve()) }
        Shared { resolve in Node46(resolve(), resolve(), resolve()) }
        Shared { resolve in Node47(resolve(), resolve(), resolve()) }
        Shared { resolve in Node48(resolve(), resolve(), resolve()) }
        Shared { resolve in Node49(resolve()) }
        Shared { resolve in Node50(resolve()) }
        Shared { resolve in Node51(resolve()) }
        Shared { resolve in Node52(resolve()) }
        Shared { resolve in Node53(resolve()) }
        Shared { resolve in Node54(resolve()) }
        Shared { resolve in Node55(resolve()) }
        Shared { resolve in Node56(resolve()) }
        Shared { resolve in Node57(resolve()) }
        Shared { resolve in Node58(resolve()) }
        Shared { resolve in Node59(resolve()) }
        Shared { resolve in Node60(resolve()) }
        Shared { resolve in Node61(resolve()) }
        Shared { resolve in Node62(resolve()) }
        Shared { resolve in Node63(resolve()) }
        Shared { resolve in Node64(resolve()) }
        Shared { resolve in Node65(resolve()) }
        Shared { resolve in Node66(resolve()) }
        Shared { resolve in Node67(resolve()) }
        Shared { resolve in Node68(resolve()) }
        Shared { resolve in Node69(resolve()) }
        Shared { resolve in Node70(resolve()) }
        Shared { resolve in Node71(resolve()) }
        Shared { resolve in Node72(resolve()) }
        Shared { resolve in Node73(resolve()) }
        Shared { resolve in Node74(resolve()) }
        Shared { resolve in Node75(resolve()) }
        Shared { resolve in Node76(resolve()) }
        Shared { resolve in Node77(resolve()) }
        Shared { resolve in Node78(resolve()) }
        Shared { resolve in Node79(resolve()) }
        Shared { resolve in Node80(resolve()) }
        Shared { resolve in Node81(resolve()) }
        Shared { resolve in Node82(resolve()) }
        Shared { resolve in Node83(resolve()) }
        Shared { resolve in Node84(resolve()) }
        Shared { resolve in Node85(resolve()) }
        Shared { resolve in Node86(resolve()) }
        Shared { resolve in Node87(resolve()) }
        Shared { resolve in Node88(resolve()) }
        Shared { resolve in Node89(resolve()) }
        Shared { resolve in Node90(resolve()) }
        Shared { resolve in Node91(resolve()) }
        Shared { resolve in Node92(resolve()) }
        Shared { resolve in Node93(resolve()) }
        Shared { resolve in Node94(resolve()) }
        Shared { resolve in Node95(resolve()) }
        Shared { resolve in Node96(resolve()) }
        Shared { resolve in Node97(resolve()) }
        Shared { resolve in Node98(resolve()) }
        Shared { _ in Node99() }
    }

    /// Dependencies resolved by the types of parameters.
    static let autowired = Module {
        Shared(autowiring: Node0.init)
        Shared(autowiring: Node1.init)
        Shared(autowiring: Node2.init)
        Shared(autowiring: Node3.init)
        Shared(autowiring: Node4.init)
        Shared(autowiring: Node5.init)
        Shared(autowiring: Node6.init)
        Shared(autowiring: Node7.init)
        Shared(autowiring: Node8.init)
        Shared(autowiring: Node9.init)
        Shared(autowiring: Node10.init)
        Shared(autowiring: Node11.init)
        Shared(autowiring: Node12.init)
        Shared(autowiring: Node13.init)
        Shared(autowiring: Node14.init)
        Shared(autowiring: Node15.init)
        Shared(autowiring: Node16.init)
        Shared(autowiring: Node17.init)
        Shared(autowiring: Node18.init)
        Shared(autowiring: Node19.init)
        Shared(autowiring: Node20.init)
        Shared(autowiring: Node21.init)
        Shared(autowiring: Node22.init)
        Shared(autowiring: Node23.init)
        Shared(autowiring: Node24.init)
        Shared(autowiring: Node25.init)
        Shared(autowiring: Node26.init)
        Shared(autowiring: Node27.init)
        Shared(autowiring: Node28.init)
        Shared(autowiring: Node29.init)
        Shared(autowiring: Node30.init)
        Shared(autowiring: Node31.init)
        Shared(autowiring: Node32.init)
        Shared(autowiring: Node33.init)
        Shared(autowiring: Node34.init)
        Shared(autowiring: Node35.init)
        Shared(autowiring: Node36.init)
        Shared(autowiring: Node37.init)
        Shared(autowiring: Node38.init)
        Shared(autowiring: Node39.init)
        Shared(autowiring: Node40.init)
        Shared(autowiring: Node41.init)
        Shared(autowiring: Node42.init)
        Shared(autowiring: Node43.init)
        Shared(autowiring: Node44.init)
        Shared(autowiring: Node45.init)
        Shared(autowiring: Node46.init)
        Shared(autowiring: Node47.init)
        Shared(autowiring: Node48.init)
        Shared(autowiring: Node49.init)
        Shared(autowiring: Node50.init)
        Shared(autowiring: Node51.init)
        Shared(autowiring: Node52.init)
        Shared(autowiring: Node53.init)
        Shared(autowiring: Node54.init)
        Shared(autowiring: Node55.init)
        Shared(autowiring: Node56.init)
        Shared(autowiring: Node57.init)
        Shared(autowiring: Node58.init)
        Shared(autowiring: Node59.init)
        Shared(autowiring: Node60.init)
        Shared(autowiring: Node61.init)
        Shared(autowiring: Node62.init)
        Shared(autowiring: Node63.init)
        Shared(autowiring: Node64.init)
        Shared(autowiring: Node65.init)
        Shared(autowiring: Node66.init)
        Shared(autowiring: Node67.init)
        Shared(autowiring: Node68.init)
        Shared(autowiring: Node69.init)
        Shared(autowiring: Node70.init)
        Shared(autowiring: Node71.init)
        Shared(autowiring: Node72.init)
        Shared(autowiring: Node73.init)
        Shared(autowiring: Node74.init)
        Shared(autowiring: Node75.init)
        Shared(autowiring: Node76.init)
        Shared(autowiring: Node77.init)
        Shared(autowiring: Node78.init)
        Shared(autowiring: Node79.init)
        Shared(autowiring: Node80.init)
        Shared(autowiring: Node81.init)
        Shared(autowiring: Node82.init)
        Shared(autowiring: Node83.init)
        Shared(autowiring: Node84.init)
        Shared(autowiring: Node85.init)
        Shared(autowiring: Node86.init)
        Shared(autowiring: Node87.init)
        Shared(autowiring: Node88.init)
        Shared(autowiring: Node89.init)
        Shared(autowiring: Node90.init)
        Shared(autowiring: Node91.init)
        Shared(autowiring: Node92.init)
        Shared(autowiring: Node93.init)
        Shared(autowiring: Node94.init)
        Shared(autowiring: Node95.init)
        Shared(autowiring: Node96.init)
        Shared(autowiring: Node97.init)
        Shared(autowiring: Node98.init)
        Shared(autowiring: Node99.init)
    }

    /// The same graph, built by hand.
    static func build() -> Node0 {
        let node99 = Node99()
        let node98 = Node98(node99)
        let node97 = Node97(node99)
        let node96 = Node96(node99)
        let node95 = Node95(node99)
        let node94 = Node94(node99)
        let node93 = Node93(node99)
        let node92 = Node92(node99)
        let node91 = Node91(node99)
        let node90 = Node90(node99)
        let node89 = Node89(node99)
        let node88 = Node88(node99)
        let node87 = Node87(node99)
        let node86 = Node86(node99)
        let node85 = Node85(node99)
        let node84 = Node84(node99)
        let node83 = Node83(node99)
        let node82 = Node82(node99)
        let node81 = Node81(node99)
        let node80 = Node80(node99)
        let node79 = Node79(node99)
        let node78 = Node78(node99)
        let node77 = Node77(node99)
        let node76 = Node76(node99)
        let node75 = Node75(node99)
        let node74 = Node74(node99)
        let node73 = Node73(node99)
        let node72 = Node72(node99)
        let node71 = Node71(node99)
        let node70 = Node70(node99)
        let node69 = Node69(node99)
        let node68 = Node68(node99)
        let node67 = Node67(node99)
        let node66 = Node66(node99)
        let node65 = Node65(node99)
        let node64 = Node64(node99)
        let node63 = Node63(node99)
        let node62 = Node62(node99)
        let node61 = Node61(node99)
        let node60 = Node60(node99)
        let node59 = Node59(node99)
        let node58 = Node58(node99)
        let node57 = Node57(node99)
        let node56 = Node56(node99)
        let node55 = Node55(node99)
        let node54 = Node54(node99)
        let node53 = Node53(node99)
        let node52 = Node52(node99)
        let node51 = Node51(node99)
        let node50 = Node50(node99)
        let node49 = Node49(node99)
        let node48 = Node48(node97, node98, node99)
        let node47 = Node47(node95, node96, node99)
        let node46 = Node46(node93, node94, node99)
        let node45 = Node45(node91, node92, node99)
        let node44 = Node44(node89, node90, node99)
        let node43 = Node43(node87, node88, node99)
        let node42 = Node42(node85, node86, node99)
        let node41 = Node41(node83, node84, node99)
        let node40 = Node40(node81, node82, node99)
        let node39 = Node39(node79, node80, node99)
        let node38 = Node38(node77, node78, node99)
        let node37 = Node37(node75, node76, node99)
        let node36 = Node36(node73, node74, node99)
        let node35 = Node35(node71, node72, node99)
        let node34 = Node34(node69, node70, node99)
        let node33 = Node33(node67, node68, node99)
        let node32 = Node32(node65, node66, node99)
        let node31 = Node31(node63, node64, node99)
        let node30 = Node30(node61, node62, node99)
        let node29 = Node29(node59, node60, node99)
        let node28 = Node28(node57, node58, node99)
        let node27 = Node27(node55, node56, node99)
        let node26 = Node26(node53, node54, node99)
        let node25 = Node25(node51, node52, node99)
        let node24 = Node24(node49, node50, node99)
        let node23 = Node23(node47, node48, node99)
        let node22 = Node22(node45, node46, node99)
        let node21 = Node21(node43, node44, node99)
        let node20 = Node20(node41, node42, node99)
        let node19 = Node19(node39, node40, node99)
        let node18 = Node18(node37, node38, node99)
        let node17 = Node17(node35, node36, node99)
        let node16 = Node16(node33, node34, node99)
        let node15 = Node15(node31, node32, node99)
        let node14 = Node14(node29, node30, node99)
        let node13 = Node13(node27, node28, node99)
        let node12 = Node12(node25, node26, node99)
        let node11 = Node11(node23, node24, node99)
        let node10 = Node10(node21, node22, node99)
        let node9 = Node9(node19, node20, node99)
        let node8 = Node8(node17, node18, node99)
        let node7 = Node7(node15, node16, node99)
        let node6 = Node6(node13, node14, node99)
        let node5 = Node5(node11, node12, node99)
        let node4 = Node4(node9, node10, node99)
        let node3 = Node3(node7, node8, node99)
        let node2 = Node2(node5, node6, node99)
        let node1 = Node1(node3, node4, node99)
        return Node0(node1, node2, node99)
    }
}

final class Node0: Sendable {
    let node1: Node1
    let node2: Node2
    let node99: Node99

    init(_ node1: Node1, _ node2: Node2, _ node99: Node99) {
        self.node1 = node1
        self.node2 = node2
        self.node99 = node99
    }
}

final class Node1: Sendable {
    let node3: Node3
    let node4: Node4
    let node99: Node99

    init(_ node3: Node3, _ node4: Node4, _ node99: Node99) {
        self.node3 = node3
        self.node4 = node4
        self.node99 = node99
    }
}

final class Node2: Sendable {
    let node5: Node5
    let node6: Node6
    let node99: Node99

    init(_ node5: Node5, _ node6: Node6, _ node99: Node99) {
        self.node5 = node5
        self.node6 = node6
        self.node99 = node99
    }
}

final class Node3: Sendable {
    let node7: Node7
    let node8: Node8
    let node99: Node99

    init(_ node7: Node7, _ node8: Node8, _ node99: Node99) {
        self.node7 = node7
        self.node8 = node8
        self.node99 = node99
    }
}

final class Node4: Sendable {
    let node9: Node9
    let node10: Node10
    let node99: Node99

    init(_ node9: Node9, _ node10: Node10, _ node99: Node99) {
        self.node9 = node9
        self.node10 = node10
        self.node99 = node99
    }
}

final class Node5: Sendable {
    let node11: Node11
    let node12: Node12
    let node99: Node99

    init(_ node11: Node11, _ node12: Node12, _ node99: Node99) {
        self.node11 = node11
        self.node12 = node12
        self.node99 = node99
    }
}

final class Node6: Sendable {
    let node13: Node13
    let node14: Node14
    let node99: Node99

    init(_ node13: Node13, _ node14: Node14, _ node99: Node99) {
        self.node13 = node13
        self.node14 = node14
        self.node99 = node99
    }
}

final class Node7: Sendable {
    let node15: Node15
    let node16: Node16
    let node99: Node99

    init(_ node15: Node15, _ node16: Node16, _ node99: Node99) {
        self.node15 = node15
        self.node16 = node16
        self.node99 = node99
    }
}

final class Node8: Sendable {
    let node17: Node17
    let node18: Node18
    let node99: Node99

    init(_ node17: Node17, _ node18: Node18, _ node99: Node99) {
        self.node17 = node17
        self.node18 = node18
        self.node99 = node99
    }
}

final class Node9: Sendable {
    let node19: Node19
    let node20: Node20
    let node99: Node99

    init(_ node19: Node19, _ node20: Node20, _ node99: Node99) {
        self.node19 = node19
        self.node20 = node20
        self.node99 = node99
    }
}

final class Node10: Sendable {
    let node21: Node21
    let node22: Node22
    let node99: Node99

    init(_ node21: Node21, _ node22: Node22, _ node99: Node99) {
        self.node21 = node21
        self.node22 = node22
        self.node99 = node99
    }
}

final class Node11: Sendable {
    let node23: Node23
    let node24: Node24
    let node99: Node99

    init(_ node23: Node23, _ node24: Node24, _ node99: Node99) {
        self.node23 = node23
        self.node24 = node24
        self.node99 = node99
    }
}

final class Node12: Sendable {
    let node25: Node25
    let node26: Node26
    let node99: Node99

    init(_ node25: Node25, _ node26: Node26, _ node99: Node99) {
        self.node25 = node25
        self.node26 = node26
        self.node99 = node99
    }
}

final class Node13: Sendable {
    let node27: Node27
    let node28: Node28
    let node99: Node99

    init(_ node27: Node27, _ node28: Node28, _ node99: Node99) {
        self.node27 = node27
        self.node28 = node28
        self.node99 = node99
    }
}

final class Node14: Sendable {
    let node29: Node29
    let node30: Node30
    let node99: Node99

    init(_ node29: Node29, _ node30: Node30, _ node99: Node99) {
        self.node29 = node29
        self.node30 = node30
        self.node99 = node99
    }
}

final class Node15: Sendable {
    let node31: Node31
    let node32: Node32
    let node99: Node99

    init(_ node31: Node31, _ node32: Node32, _ node99: Node99) {
        self.node31 = node31
        self.node32 = node32
        self.node99 = node99
    }
}

final class Node16: Sendable {
    let node33: Node33
    let node34: Node34
    let node99: Node99

    init(_ node33: Node33, _ node34: Node34, _ node99: Node99) {
        self.node33 = node33
        self.node34 = node34
        self.node99 = node99
    }
}

final class Node17: Sendable {
    let node35: Node35
    let node36: Node36
    let node99: Node99

    init(_ node35: Node35, _ node36: Node36, _ node99: Node99) {
        self.node35 = node35
        self.node36 = node36
        self.node99 = node99
    }
}

final class Node18: Sendable {
    let node37: Node37
    let node38: Node38
    let node99: Node99

    init(_ node37: Node37, _ node38: Node38, _ node99: Node99) {
        self.node37 = node37
        self.node38 = node38
        self.node99 = node99
    }
}

final class Node19: Sendable {
    let node39: Node39
    let node40: Node40
    let node99: Node99

    init(_ node39: Node39, _ node40: Node40, _ node99: Node99) {
        self.node39 = node39
        self.node40 = node40
        self.node99 = node99
    }
}

final class Node20: Sendable {
    let node41: Node41
    let node42: Node42
    let node99: Node99

    init(_ node41: Node41, _ node42: Node42, _ node99: Node99) {
        self.node41 = node41
        self.node42 = node42
        self.node99 = node99
    }
}

final class Node21: Sendable {
    let node43: Node43
    let node44: Node44
    let node99: Node99

    init(_ node43: Node43, _ node44: Node44, _ node99: Node99) {
        self.node43 = node43
        self.node44 = node44
        self.node99 = node99
    }
}

final class Node22: Sendable {
    let node45: Node45
    let node46: Node46
    let node99: Node99

    init(_ node45: Node45, _ node46: Node46, _ node99: Node99) {
        self.node45 = node45
        self.node46 = node46
        self.node99 = node99
    }
}

final class Node23: Sendable {
    let node47: Node47
    let node48: Node48
    let node99: Node99

    init(_ node47: Node47, _ node48: Node48, _ node99: Node99) {
        self.node47 = node47
        self.node48 = node48
        self.node99 = node99
    }
}

final class Node24: Sendable {
    let node49: Node49
    let node50: Node50
    let node99: Node99

    init(_ node49: Node49, _ node50: Node50, _ node99: Node99) {
        self.node49 = node49
        self.node50 = node50
        self.node99 = node99
    }
}

final class Node25: Sendable {
    let node51: Node51
    let node52: Node52
    let node99: Node99

    init(_ node51: Node51, _ node52: Node52, _ node99: Node99) {
        self.node51 = node51
        self.node52 = node52
        self.node99 = node99
    }
}

final class Node26: Sendable {
    let node53: Node53
    let node54: Node54
    let node99: Node99

    init(_ node53: Node53, _ node54: Node54, _ node99: Node99) {
        self.node53 = node53
        self.node54 = node54
        self.node99 = node99
    }
}

final class Node27: Sendable {
    let node55: Node55
    let node56: Node56
    let node99: Node99

    init(_ node55: Node55, _ node56: Node56, _ node99: Node99) {
        self.node55 = node55
        self.node56 = node56
        self.node99 = node99
    }
}

final class Node28: Sendable {
    let node57: Node57
    let node58: Node58
    let node99: Node99

    init(_ node57: Node57, _ node58: Node58, _ node99: Node99) {
        self.node57 = node57
        self.node58 = node58
        self.node99 = node99
    }
}

final class Node29: Sendable {
    let node59: Node59
    let node60: Node60
    let node99: Node99

    init(_ node59: Node59, _ node60: Node60, _ node99: Node99) {
        self.node59 = node59
        self.node60 = node60
        self.node99 = node99
    }
}

final class Node30: Sendable {
    let node61: Node61
    let node62: Node62
    let node99: Node99

    init(_ node61: Node61, _ node62: Node62, _ node99: Node99) {
        self.node61 = node61
        self.node62 = node62
        self.node99 = node99
    }
}

final class Node31: Sendable {
    let node63: Node63
    let node64: Node64
    let node99: Node99

    init(_ node63: Node63, _ node64: Node64, _ node99: Node99) {
        self.node63 = node63
        self.node64 = node64
        self.node99 = node99
    }
}

final class Node32: Sendable {
    let node65: Node65
    let node66: Node66
    let node99: Node99

    init(_ node65: Node65, _ node66: Node66, _ node99: Node99) {
        self.node65 = node65
        self.node66 = node66
        self.node99 = node99
    }
}

final class Node33: Sendable {
    let node67: Node67
    let node68: Node68
    let node99: Node99

    init(_ node67: Node67, _ node68: Node68, _ node99: Node99) {
        self.node67 = node67
        self.node68 = node68
        self.node99 = node99
    }
}

final class Node34: Sendable {
    let node69: Node69
    let node70: Node70
    let node99: Node99

    init(_ node69: Node69, _ node70: Node70, _ node99: Node99) {
        self.node69 = node69
        self.node70 = node70
        self.node99 = node99
    }
}

final class Node35: Sendable {
    let node71: Node71
    let node72: Node72
    let node99: Node99

    init(_ node71: Node71, _ node72: Node72, _ node99: Node99) {
        self.node71 = node71
        self.node72 = node72
        self.node99 = node99
    }
}

final class Node36: Sendable {
    let node73: Node73
    let node74: Node74
    let node99: Node99

    init(_ node73: Node73, _ node74: Node74, _ node99: Node99) {
        self.node73 = node73
        self.node74 = node74
        self.node99 = node99
    }
}

final class Node37: Sendable {
    let node75: Node75
    let node76: Node76
    let node99: Node99

    init(_ node75: Node75, _ node76: Node76, _ node99: Node99) {
        self.node75 = node75
        self.node76 = node76
        self.node99 = node99
    }
}

final class Node38: Sendable {
    let node77: Node77
    let node78: Node78
    let node99: Node99

    init(_ node77: Node77, _ node78: Node78, _ node99: Node99) {
        self.node77 = node77
        self.node78 = node78
        self.node99 = node99
    }
}

final class Node39: Sendable {
    let node79: Node79
    let node80: Node80
    let node99: Node99

    init(_ node79: Node79, _ node80: Node80, _ node99: Node99) {
        self.node79 = node79
        self.node80 = node80
        self.node99 = node99
    }
}

final class Node40: Sendable {
    let node81: Node81
    let node82: Node82
    let node99: Node99

    init(_ node81: Node81, _ node82: Node82, _ node99: Node99) {
        self.node81 = node81
        self.node82 = node82
        self.node99 = node99
    }
}

final class Node41: Sendable {
    let node83: Node83
    let node84: Node84
    let node99: Node99

    init(_ node83: Node83, _ node84: Node84, _ node99: Node99) {
        self.node83 = node83
        self.node84 = node84
        self.node99 = node99
    }
}

final class Node42: Sendable {
    let node85: Node85
    let node86: Node86
    let node99: Node99

    init(_ node85: Node85, _ node86: Node86, _ node99: Node99) {
        self.node85 = node85
        self.node86 = node86
        self.node99 = node99
    }
}

final class Node43: Sendable {
    let node87: Node87
    let node88: Node88
    let node99: Node99

    init(_ node87: Node87, _ node88: Node88, _ node99: Node99) {
        self.node87 = node87
        self.node88 = node88
        self.node99 = node99
    }
}

final class Node44: Sendable {
    let node89: Node89
    let node90: Node90
    let node99: Node99

    init(_ node89: Node89, _ node90: Node90, _ node99: Node99) {
        self.node89 = node89
        self.node90 = node90
        self.node99 = node99
    }
}

final class Node45: Sendable {
    let node91: Node91
    let node92: Node92
    let node99: Node99

    init(_ node91: Node91, _ node92: Node92, _ node99: Node99) {
        self.node91 = node91
        self.node92 = node92
        self.node99 = node99
    }
}

final class Node46: Sendable {
    let node93: Node93
    let node94: Node94
    let node99: Node99

    init(_ node93: Node93, _ node94: Node94, _ node99: Node99) {
        self.node93 = node93
        self.node94 = node94
        self.node99 = node99
    }
}

final class Node47: Sendable {
    let node95: Node95
    let node96: Node96
    let node99: Node99

    init(_ node95: Node95, _ node96: Node96, _ node99: Node99) {
        self.node95 = node95
        self.node96 = node96
        self.node99 = node99
    }
}

final class Node48: Sendable {
    let node97: Node97
    let node98: Node98
    let node99: Node99

    init(_ node97: Node97, _ node98: Node98, _ node99: Node99) {
        self.node97 = node97
        self.node98 = node98
        self.node99 = node99
    }
}

final class Node49: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node50: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node51: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node52: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node53: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node54: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node55: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node56: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node57: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node58: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node59: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node60: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node61: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node62: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node63: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node64: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node65: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node66: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node67: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node68: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node69: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node70: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node71: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node72: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node73: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node74: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node75: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node76: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node77: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node78: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node79: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node80: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node81: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node82: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node83: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node84: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node85: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node86: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node87: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node88: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node89: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node90: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node91: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node92: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node93: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node94: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node95: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node96: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node97: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node98: Sendable {
    let node99: Node99

    init(_ node99: Node99) {
        self.node99 = node99
    }
}

final class Node99: Sendable {}
